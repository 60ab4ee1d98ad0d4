// Timeline: what happened, one moment below the other.

import { story } from "./story";

export default story(
  {
    component: "Timeline",
    title: "History",
    rows: { path: "/props/tasks" },
    key: "id",
    timeField: "at",
    titleField: "assignee",
    textField: "title",
    toneField: "priority",
    columns: [{ field: "state", label: "State" }],
    rowActions: [
      {
        action: "remove",
        label: "Remove",
        icon: "trash",
        variant: "borderless",
        tone: "bad",
        confirm: true,
        fixed: { id: "id" },
      },
    ],
  },
  {
    tasks: [
      {
        id: "1",
        title: "Login fails with a passkey",
        state: "new",
        priority: "high",
        assignee: "Ada",
        at: "2026-11-03T09:00:00Z",
      },
      {
        id: "2",
        title: "Export takes ten minutes",
        state: "done",
        priority: "low",
        assignee: "Grace",
        at: "2026-11-05T14:30:00Z",
      },
      {
        id: "3",
        title: "Typo on the pricing page",
        state: "new",
        priority: "medium",
        at: "2026-11-18T16:00:00Z",
      },
    ],
  },
);

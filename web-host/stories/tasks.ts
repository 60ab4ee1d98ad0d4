// Tasks: what is ticked off, in its groups.

import { story } from "./story";

export default story(
  {
    component: "Tasks",
    title: "Move",
    rows: { path: "/props/tasks" },
    key: "id",
    titleField: "title",
    doneField: "done",
    requiredField: "needed",
    groupField: "phase",
    tick: "finish",
    untick: "reopen",
    columns: [
      { field: "phase", label: "Phase", format: "choice" },
      { field: "who", label: "With" },
      { field: "due", label: "Due", format: "date" },
    ],
    rowActions: [
      { action: "finish", label: "Finish", fixed: { id: "id" } },
      { action: "reopen", label: "Reopen", fixed: { id: "id" } },
      { action: "remind", label: "Remind", fixed: { id: "id" } },
    ],
    emptyText: "Nothing to do yet.",
  },
  {
    tasks: [
      {
        id: "1",
        title: "Give notice",
        phase: "before_the_day",
        done: true,
        needed: true,
        who: "Ada",
        due: "2026-10-01",
      },
      { id: "2", title: "Order boxes", phase: "before_the_day", done: false, due: "2026-11-20" },
      { id: "3", title: "Read the meters", phase: "on_the_day", done: false, needed: true },
      { id: "4", title: "Hand over the keys", phase: "on_the_day", who: "Grace" },
    ],
  },
);

// Table: records with everything that can be done with them.

import type { Column } from "../src/wire/view";
import { story } from "./story";

const columns: readonly Column[] = [
  { field: "title", label: "Title" },
  { field: "state", label: "State", format: "badge" },
  { field: "priority", label: "Priority", format: "badge" },
  { field: "assignee", label: "Assignee" },
  { field: "at", label: "At", format: "datetime" },
];

export default story(
  {
    component: "Table",
    title: "Tickets",
    rows: { path: "/props/tasks" },
    key: "id",
    titleField: "title",
    columns,
    searchable: true,
    pageSize: 2,
    emptyText: "No tickets yet.",
    bulkActions: [{ action: "close", label: "Close", list: "ids", field: "id" }],
    rowActions: [
      {
        action: "reply",
        label: "Reply",
        fixed: { id: "id" },
        inputs: {
          type: "object",
          required: ["text"],
          properties: { text: { type: "string" }, urgent: { type: "boolean" } },
        },
      },
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

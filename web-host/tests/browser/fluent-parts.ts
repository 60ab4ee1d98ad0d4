// What people do something with, in the tests of that.

export const button = {
  id: "root",
  component: "ActionButton",
  label: "Delete all",
  action: "deleteAll",
  tone: "bad",
  confirm: true,
};

export const form = {
  id: "root",
  component: "Form",
  action: "book",
  submitLabel: "Book",
  schema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Your name" },
      guests: { type: "integer", title: "Guests", minimum: 1 },
    },
  },
};

export const table = {
  id: "root",
  component: "Table",
  rows: { path: "/props/tasks" },
  key: "id",
  titleField: "title",
  columns: [
    { field: "title", label: "Title" },
    { field: "done", label: "Done", format: "boolean", align: "center" },
  ],
  rowActions: [
    { action: "toggle", label: "Done", fixed: { id: "id" }, toggles: "done" },
    { action: "remove", label: "Remove", fixed: { id: "id" } },
  ],
};

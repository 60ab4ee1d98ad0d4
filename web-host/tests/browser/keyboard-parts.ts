// What is reached without a pointer, in the tests of that.

export const tasks = (...titles: string[]) =>
  titles.map((title) => ({ id: title.toLowerCase(), title, state: "open" }));

export const columns = [
  { field: "title", label: "Title" },
  { field: "state", label: "State" },
];

export const form = {
  id: "root",
  component: "Form",
  title: "Book a table",
  action: "book",
  submitLabel: "Book",
  schema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Your name" },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 4 },
      quiet: { type: "boolean", title: "A quiet place" },
    },
  },
};

export const table = {
  id: "root",
  component: "Table",
  title: "Tasks",
  key: "id",
  titleField: "title",
  rows: { path: "/props/tasks" },
  columns,
  rowActions: [
    {
      action: "plan",
      label: "Plan",
      initial: { to: "to" },
      fixed: { id: "id" },
      inputs: {
        type: "object",
        required: ["to"],
        properties: { to: { type: "integer", title: "Hours" } },
      },
    },
    { action: "drop", label: "Remove", fixed: { id: "id" }, confirm: true },
  ],
};

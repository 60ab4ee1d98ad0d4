// What people type and do something with, in the tests of that.

export const tasks = (...titles: string[]) =>
  titles.map((title) => ({ id: title.toLowerCase(), title, state: "open" }));

export const form = {
  id: "root",
  component: "Form",
  title: "Book a table",
  action: "book",
  submitLabel: "Book",
  schema: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", title: "Your name" } },
  },
};

export const table = {
  id: "root",
  component: "Table",
  title: "Tasks",
  key: "id",
  titleField: "title",
  rows: { path: "/props/tasks" },
  columns: [{ field: "title", label: "Title" }],
};

export const remove = { action: "drop", label: "Remove", fixed: { id: "id" } };

export const column = (...parts: object[]) => [
  { id: "root", component: "Column", children: parts.map((_, index) => `p${index}`) },
  ...parts.map((part, index) => ({ ...part, id: `p${index}` })),
];

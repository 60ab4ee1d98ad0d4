// Quiz: one question after the other.

import { story } from "./story";

export default story(
  {
    component: "Quiz",
    title: "Words",
    rows: { path: "/props/questions" },
    key: "id",
    textField: "text",
    optionsField: "options",
    columns: [{ field: "points", label: "Points", format: "integer" }],
    pick: { action: "answer", label: "Answer", to: "answer", fixed: { id: "id" }, as: "index" },
    rowActions: [{ action: "hint", label: "Hint", fixed: { id: "id" } }],
    emptyText: "No questions yet.",
  },
  {
    questions: [
      { id: "q1", text: "kissa", options: ["cat", "dog"], points: 1 },
      { id: "q2", text: "talo", options: ["tree", "house"], points: 2 },
    ],
  },
);

// Changes: amendments of a text, each with what is done about it.

import { story } from "./story";

export default story(
  {
    component: "Changes",
    title: "Amendments",
    rows: { path: "/props/amendments" },
    key: "id",
    numberField: "clause",
    titleField: "heading",
    beforeField: "old",
    afterField: "new",
    columns: [{ field: "reason", label: "Reason" }],
    rowActions: [
      { action: "accept", label: "Accept", fixed: { id: "id" } },
      { action: "reject", label: "Reject", fixed: { id: "id" } },
    ],
    emptyText: "No amendments yet.",
  },
  {
    amendments: [
      {
        id: "a1",
        clause: "4.2",
        heading: "When rent is due",
        old: "The rent is due on the third working day of a month, in advance.",
        new: "The rent is due on the fifth working day of each month, in advance.",
        reason: "Wages arrive on the fourth.",
      },
      {
        id: "a2",
        clause: "7.1",
        heading: "Pets",
        old: "No animals are permitted.",
        new: "Cats may live in the flat; for dogs the landlord is asked beforehand.",
        reason: "Agreed by telephone.",
      },
      { id: "a3", clause: "7.2", heading: "Bicycles", new: "Two bicycles may stand in the yard." },
      { id: "a4", old: "The cellar is let with the flat.", new: null },
      { id: "a5", clause: "9", heading: "Keys", old: "Three keys.", new: "Three keys." },
    ],
  },
);

// Seats: rows of seats, some of them taken.

import { story } from "./story";

export default story(
  {
    component: "Seats",
    title: "Hall",
    rows: { path: "/props/seats" },
    key: "id",
    rowField: "row",
    numberField: "number",
    statusField: "status",
    columns: [{ field: "price", label: "Price", format: "number" }],
    pick: {
      action: "reserve",
      label: "Reserve",
      to: "ids",
      field: "id",
      several: true,
      variant: "primary",
    },
    emptyText: "No seats yet.",
  },
  {
    seats: [
      { id: "a1", row: "A", number: 1, status: "free", price: 12 },
      { id: "a2", row: "A", number: 2, status: "sold", price: 12 },
      { id: "b1", row: "B", number: 1, status: "free", price: 15 },
    ],
  },
);

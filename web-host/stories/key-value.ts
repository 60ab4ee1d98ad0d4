// KeyValue: the facts of one thing.

import { story } from "./story";

export default story(
  {
    component: "KeyValue",
    title: "Order",
    items: [
      { label: "Number", value: { path: "/props/number" } },
      { label: "Status", value: { path: "/props/status" }, format: "badge" },
      { label: "Total", value: { path: "/props/total" }, format: "currency", currency: "EUR" },
      { label: "Due", value: { path: "/props/due" }, format: "date" },
      { label: "Gift", value: { path: "/props/gift" }, format: "boolean" },
    ],
  },
  { number: "2026-118", status: "shipped", total: 61.2, due: "2026-11-24", gift: true },
);

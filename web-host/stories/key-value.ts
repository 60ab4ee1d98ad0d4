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
      { label: "Parcel", value: { path: "/props/parcel" }, format: "record" },
      { label: "Gift", value: { path: "/props/gift" }, format: "boolean" },
    ],
  },
  {
    number: "2026-118",
    status: "shipped",
    total: 61.2,
    due: "2026-11-24",
    gift: true,
    parcel: {
      src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='160' height='96' viewBox='0 0 16 10'%3E%3Crect width='16' height='10' fill='%23789'/%3E%3C/svg%3E",
      alt: "A parcel on a counter",
      credit: "Ada",
    },
  },
);

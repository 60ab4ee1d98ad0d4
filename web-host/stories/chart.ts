// Chart: numbers over time.

import { story } from "./story";

export default story(
  {
    component: "Chart",
    title: "Sales",
    kind: "area",
    data: { path: "/props/days" },
    x: "day",
    series: [
      { field: "online", label: "Online" },
      { field: "stores", label: "Stores" },
    ],
    format: "integer",
  },
  {
    days: [
      { day: "2026-11-01", online: 120, stores: 80 },
      { day: "2026-11-02", online: 160, stores: 70 },
      { day: "2026-11-03", online: 140, stores: 95 },
    ],
  },
);

// Metric: one number with its recent past.

import { story } from "./story";

export default story(
  {
    component: "Metric",
    label: "Heart rate",
    unit: "bpm",
    value: { path: "/props/rate" },
    history: { path: "/props/past" },
    historyField: "rate",
  },
  { rate: 78, past: [{ rate: 74 }, { rate: 80 }, { rate: 76 }, { rate: 78 }] },
);

// Stepper: where one is on the way.

import { story } from "./story";

export default story(
  {
    component: "Stepper",
    title: "Return an item",
    rows: { path: "/props/steps" },
    labelField: "label",
    statusField: "status",
    timeField: "at",
  },
  {
    steps: [
      { label: "Choose item", status: "done", at: "2026-11-19T09:14:00Z" },
      { label: "Reason", status: "current" },
      { label: "Refund", status: "ahead" },
    ],
  },
);

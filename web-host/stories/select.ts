// Select: one of many.

import { story } from "./story";

export default story(
  {
    component: "Select",
    label: "Schedule",
    options: [
      { label: "Weekdays", value: "w" },
      { label: "Every day", value: "d" },
    ],
    value: { path: "/props/schedule" },
  },
  { schedule: "w" },
);

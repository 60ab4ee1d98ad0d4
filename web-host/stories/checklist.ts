// Checklist: several of some.

import { story } from "./story";

export default story(
  {
    component: "Checklist",
    label: "Before we leave",
    options: { path: "/props/steps" },
    value: { path: "/context/done" },
  },
  { steps: ["Valves closed", "Gate locked"] },
);

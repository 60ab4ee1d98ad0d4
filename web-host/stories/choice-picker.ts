// ChoicePicker: one of a few.

import { story } from "./story";

export default story(
  {
    component: "ChoicePicker",
    label: "Time of day",
    options: [
      { label: "Morning", value: "am" },
      { label: "Afternoon", value: "pm" },
      { label: "Evening", value: "eve" },
    ],
    value: { path: "/props/when" },
  },
  { when: ["pm"] },
);

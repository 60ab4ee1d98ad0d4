// DateTimeInput: a day and a time.

import { story } from "./story";

export default story(
  {
    component: "DateTimeInput",
    label: "Pick-up",
    enableDate: true,
    enableTime: true,
    value: { path: "/props/at" },
  },
  { at: "2026-11-21T10:00:00Z" },
);

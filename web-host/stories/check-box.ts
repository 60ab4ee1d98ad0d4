// CheckBox: one thing to agree to.

import { story } from "./story";

export default story(
  { component: "CheckBox", label: "I have read the house rules", value: { path: "/props/read" } },
  { read: true },
);

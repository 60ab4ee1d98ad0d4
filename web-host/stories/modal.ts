// Modal: a part in a dialog.

import { story } from "./story";

export default story(
  { component: "Modal", trigger: "open", content: "terms", accessibility: { label: "Terms" } },
  { terms: "Pets are welcome." },
  [
    { id: "open", component: "ActionButton", label: "Read the terms", action: "read" },
    { id: "terms", component: "Text", text: { path: "/props/terms" } },
  ],
);

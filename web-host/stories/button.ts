// Button: a button that holds a part, and waits for its checks.

import { story } from "./story";

export default story(
  {
    component: "Button",
    child: "label",
    variant: "primary",
    checks: [
      {
        condition: { call: "required", args: { value: { path: "/props/name" } } },
        message: "Type a name first.",
      },
    ],
    action: { event: { name: "save", context: { name: { path: "/props/name" } } } },
  },
  { name: "Ada" },
  [{ id: "label", component: "Text", text: "Save" }],
);

// ActionButton: an action that asks first.

import { story } from "./story";

export default story(
  {
    component: "ActionButton",
    label: "Cancel build",
    action: "cancel",
    tone: "bad",
    confirm: true,
    icon: "stop",
    description: "What was built is kept.",
    data: { id: { path: "/props/id" } },
  },
  { id: "b1" },
);

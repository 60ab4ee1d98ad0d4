// Switch: on or off.

import { story } from "./story";

export default story(
  { component: "Switch", label: "Live tail", value: { path: "/props/on" } },
  { on: true },
);

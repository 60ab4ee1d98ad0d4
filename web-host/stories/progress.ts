// Progress: how far something is.

import { story } from "./story";

export default story(
  { component: "Progress", label: "Upload", value: { path: "/props/percent" } },
  { percent: 41 },
);

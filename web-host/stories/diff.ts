// Diff: what changed.

import { story } from "./story";

export default story(
  {
    component: "Diff",
    title: "Changes",
    before: { path: "/props/before" },
    after: { path: "/props/after" },
  },
  {
    before: "replicas: 4\nimage: gateway:4.11\nenv: prod",
    after: "replicas: 6\nimage: gateway:4.12\nenv: prod",
  },
);

// Heading: what the page is about.

import { story } from "./story";

export default story(
  {
    component: "Heading",
    level: 1,
    text: { path: "/props/text" },
    caption: { path: "/props/caption" },
  },
  { text: "Servers in production", caption: "All regions" },
);

// Column: parts below each other.

import { story } from "./story";

export default story(
  { component: "Column", children: ["title", "body"] },
  { title: "Weekend", body: "Two days by the sea." },
  [
    { id: "title", component: "Heading", text: { path: "/props/title" } },
    { id: "body", component: "Text", text: { path: "/props/body" } },
  ],
);

// List: one part for every record.

import { story } from "./story";

export default story(
  { component: "List", children: { componentId: "person", path: "/props/people" } },
  {
    people: [
      { id: "a", name: "Ada" },
      { id: "g", name: "Grace" },
    ],
  },
  [
    { id: "person", component: "Card", child: "name" },
    { id: "name", component: "Text", text: { path: "name" } },
  ],
);

// Row: parts beside each other.

import { story } from "./story";

export default story(
  { component: "Row", children: ["name", "state", "more"], justify: "spaceBetween" },
  { name: "web-01", state: "healthy" },
  [
    { id: "name", component: "Text", text: { path: "/props/name" } },
    { id: "state", component: "Badge", text: { path: "/props/state" }, tone: "good" },
    { id: "more", component: "ActionButton", label: "Restart", action: "restart" },
  ],
);

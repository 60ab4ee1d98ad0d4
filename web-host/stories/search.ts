// Search: a text to look for.

import { story } from "./story";

export default story(
  { component: "Search", label: "Find orders", value: { path: "/props/query" } },
  { query: "kettle" },
);

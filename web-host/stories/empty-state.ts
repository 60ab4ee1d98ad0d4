// EmptyState: what to read when there is nothing to see.

import { story } from "./story";

export default story(
  { component: "EmptyState", title: "No orders yet", text: { path: "/props/hint" } },
  { hint: "They appear here as they come in." },
);

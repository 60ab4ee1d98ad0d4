// Badge: a word with a mood.

import { story } from "./story";

export default story(
  { component: "Badge", tone: "warn", text: { path: "/props/text" } },
  { text: "Overdue" },
);

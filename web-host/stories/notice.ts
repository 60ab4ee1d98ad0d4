// Notice: a sentence that stands out.

import { story } from "./story";

export default story(
  { component: "Notice", tone: "warn", text: { path: "/props/text" } },
  { text: "Strong wind until **Sunday**." },
);

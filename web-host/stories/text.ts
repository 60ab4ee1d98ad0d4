// Text: body text with a little markdown.

import { story } from "./story";

export default story(
  { component: "Text", text: { path: "/props/text" } },
  {
    text: "The soup needs **25 minutes**.\n\n- Chop\n- Fry\n\nMore at [the kitchen](https://kitchen.example).",
  },
);

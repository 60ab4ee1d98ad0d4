// Card: a framed part.

import { story } from "./story";

export default story({ component: "Card", child: "body" }, { body: "Rain until Sunday." }, [
  { id: "body", component: "Text", text: { path: "/props/body" } },
]);

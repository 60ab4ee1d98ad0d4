// Toast: a short message that goes away.

import { story } from "./story";

export default story({ component: "Toast", text: { path: "/props/text" } }, { text: "Saved" });

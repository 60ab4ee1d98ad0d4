// Divider: a line between parts.

import { story } from "./story";

export default story({ component: "Divider" });

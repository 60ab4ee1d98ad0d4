// Answers: buttons that wait until the page has been in sight for a moment.

import { story } from "./story";

export default story({ component: "Answers", children: ["yes", "no"], justify: "start" }, {}, [
  { id: "yes", component: "ActionButton", label: "Approve", action: "yes", variant: "primary" },
  { id: "no", component: "ActionButton", label: "Reject", action: "no" },
]);

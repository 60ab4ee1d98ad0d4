// TextField: a line of text that must be an address.

import { story } from "./story";

export default story(
  {
    component: "TextField",
    label: "Email",
    value: { path: "/props/email" },
    checks: [
      {
        condition: { call: "email", args: { value: { path: "/props/email" } } },
        message: "Enter an email address.",
      },
    ],
  },
  { email: "ada@example.org" },
);

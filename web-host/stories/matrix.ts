// Matrix: what each team may do where.

import { story } from "./story";

export default story(
  {
    component: "Matrix",
    title: "Access",
    value: { path: "/props/access" },
    options: [
      { value: "none", label: "None" },
      { value: "read", label: "Read" },
    ],
    pick: { action: "set", label: "Change", row: "team", column: "place", to: "level" },
  },
  {
    access: {
      Checkout: { staging: "read", production: "none" },
      Search: { staging: "none", production: "none" },
    },
  },
);

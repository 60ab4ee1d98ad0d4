// FieldSet: fields bound both ways, without a button.

import { story } from "./story";

export default story(
  {
    component: "FieldSet",
    title: "Address",
    schema: {
      type: "object",
      properties: {
        street: { type: "string" },
        city: { type: "string" },
        floor: { type: "integer" },
      },
    },
    value: { path: "/props/address" },
  },
  { address: { street: "14 Mill Lane", city: "Bath" } },
);

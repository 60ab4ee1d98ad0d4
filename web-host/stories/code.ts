// Code: text as it is.

import { story } from "./story";

export default story(
  { component: "Code", title: "Response", language: "json", value: { path: "/props/body" } },
  { body: { id: "ord_81", items: [{ sku: "A1", qty: 2 }], paid: true } },
);

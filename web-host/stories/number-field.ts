// NumberField: a number to type.

import { story } from "./story";

export default story(
  {
    component: "NumberField",
    label: "Target temperature",
    min: 5,
    max: 30,
    value: { path: "/props/target" },
  },
  { target: 21 },
);

// Items: short texts, one of which is picked.

import { story } from "./story";

export default story(
  {
    component: "Items",
    title: "Choices",
    items: { path: "/props/choices" },
    pick: { action: "answer", label: "Answer", to: "choice" },
  },
  { choices: ["Jupiter", "Saturn", "Uranus"] },
);

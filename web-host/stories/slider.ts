// Slider: a number between two others.

import { story } from "./story";

export default story(
  { component: "Slider", label: "Volume", min: 0, max: 10, value: { path: "/props/volume" } },
  { volume: 4 },
);

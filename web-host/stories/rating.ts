// Rating: so many stars.

import { story } from "./story";

export default story(
  { component: "Rating", label: "How was it?", value: { path: "/props/stars" } },
  { stars: 4 },
);

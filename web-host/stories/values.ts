// Values: anything at all, as names and values.

import { story } from "./story";

export default story(
  { component: "Values", title: "Details", value: { path: "/props/details" } },
  {
    details: {
      place: { lat: 53.55, lng: 9.99 },
      legs: [
        { from: "Oslo", to: "Bergen" },
        { from: "Bergen", to: "Bodø" },
      ],
      note: "Window seat",
    },
  },
);

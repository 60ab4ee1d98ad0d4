// Image: a picture.

import { story } from "./story";

export default story(
  {
    component: "Image",
    url: { path: "/props/url" },
    accessibility: { label: "Dunes at dusk" },
    fit: "cover",
  },
  {
    url: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 160 90'%3E%3Crect width='160' height='90' fill='%23e0a070'/%3E%3Cpath d='M0 70Q40 40 80 66T160 60V90H0z' fill='%23805030'/%3E%3C/svg%3E",
  },
);

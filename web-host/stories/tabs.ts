// Tabs: parts one at a time.

import { story } from "./story";

export default story(
  {
    component: "Tabs",
    tabs: [
      { title: "Today", child: "today" },
      { title: "This week", child: "week" },
    ],
  },
  { today: "Rain", week: "Mostly rain" },
  [
    { id: "today", component: "Text", text: { path: "/props/today" } },
    { id: "week", component: "Text", text: { path: "/props/week" } },
  ],
);

// Poll: options with their votes.

import { story } from "./story";

export default story(
  {
    component: "Poll",
    title: "Colours",
    rows: { path: "/props/options" },
    key: "id",
    titleField: "name",
    countField: "votes",
    columns: [{ field: "why", label: "Why" }],
    pick: { action: "vote", label: "Vote", to: "id", field: "id", variant: "primary" },
    emptyText: "No options yet.",
  },
  {
    options: [
      { id: "a", name: "Sea green", votes: 12, why: "Calm" },
      { id: "b", name: "Signal yellow", votes: 30, why: "Seen from afar" },
    ],
  },
);

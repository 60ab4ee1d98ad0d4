// Calendar: events on the days of a month.

import { story } from "./story";

export default story(
  {
    component: "Calendar",
    title: "Shifts",
    rows: { path: "/props/shifts" },
    key: "id",
    startField: "from",
    endField: "to",
    titleField: "who",
    columns: [],
    rowActions: [
      {
        action: "remove",
        label: "Remove",
        icon: "trash",
        variant: "borderless",
        tone: "bad",
        confirm: true,
        fixed: { id: "id" },
      },
    ],
  },
  {
    shifts: [
      { id: "1", who: "Ada", from: "2026-11-02", to: "2026-11-08" },
      { id: "2", who: "Grace", from: "2026-11-18T09:00:00Z" },
    ],
  },
);

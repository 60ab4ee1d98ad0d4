// Log: lines as they come.

import { story } from "./story";

export default story(
  {
    component: "Log",
    title: "Build",
    lines: { path: "/props/lines" },
    textField: "text",
    levelField: "level",
    timeField: "at",
  },
  {
    lines: [
      { text: "Compiling core v0.4.1", level: "info", at: "2026-11-21T14:20:00Z" },
      { text: "unused variable `retries`", level: "warn", at: "2026-11-21T14:20:04Z" },
      {
        text: "test queue::survives_restart ... FAILED",
        level: "error",
        at: "2026-11-21T14:21:10Z",
      },
    ],
  },
);

// Frames that tests of the live channel send.

import type { ServerFrame } from "../../src/wire/channel";

export const item = (seq: number): ServerFrame => ({
  type: "data",
  payload: { sessionId: "s", channel: "log", mode: "append", payload: seq, seq, schemaVersion: "" },
});

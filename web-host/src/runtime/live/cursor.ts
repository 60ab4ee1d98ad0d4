// How far this guest has read: one position in the session's log and one in its streams, the same on every rung.

import type { DataFrame, Frame, LogRow } from "../../wire/frames";

/** The frames a row of the log says the same as; rows of other types only move the cursor. */
function framesOf({ type, data }: LogRow): Frame[] {
  switch (type) {
    case "ui.updated":
      return [{ type: "props_update", payload: data }];
    case "x-data":
      return [{ type: "data", payload: data }];
    case "x-drained":
      return Array.isArray(data?.eventIds)
        ? data.eventIds.map((eventId: unknown) => ({
            type: "drain_ack",
            payload: { ...data, eventId },
          }))
        : [];
    case "x-observed":
      return observed(data);
    case "x-context":
      return observed({ kind: "context-synced", ...data });
    case "user.submitted":
      return observed({ kind: "action-submitted", ...data });
    default:
      return [];
  }
}

function observed(event: unknown): Frame[] {
  return [{ type: "observe", payload: { event } }];
}

export class Cursor {
  /** Position of the last row read of the log. */
  sequence = 0;
  /** Position of the last item read of the streams. */
  streamSeq = 0;
  readonly #painted: number;

  /** `painted` is the position of the state that is shown already; of the rows up to it only items are missing. */
  constructor(painted: number) {
    this.#painted = painted;
  }

  /** Whether a frame is new; an item is new once, whichever rung brought it first. */
  admits({ type, payload }: Frame): boolean {
    if (type !== "data") return true;
    const { seq } = payload as DataFrame;
    if (!(seq > this.streamSeq)) return false;
    this.streamSeq = seq;
    return true;
  }

  /** Moves over rows and returns the frames in them. Of the props only the newest count: they are always whole. */
  framesOf(rows: readonly LogRow[]): Frame[] {
    const frames: Frame[] = [];
    let props: Frame | undefined;
    for (const row of rows) {
      if (!(row.seq > this.sequence)) continue;
      this.sequence = row.seq;
      for (const frame of framesOf(row)) {
        if (row.seq <= this.#painted && frame.type !== "data") continue;
        if (frame.type === "props_update") props = frame;
        else frames.push(frame);
      }
    }
    return props ? [...frames, props] : frames;
  }
}

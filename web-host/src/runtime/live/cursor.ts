// How far this guest has read: one position in the session's log and one in its streams, for all
// transports.

import { isObject } from "../../draw/pointer";
import type { LedgerRow, ServerFrame } from "../../wire/channel";
import type { PayloadOf } from "../../wire/frames";
import type { ActionSubmittedEvent, ContextSyncedEvent, ObservedEvent } from "../../wire/observe";

/** The frames that a row of the log corresponds to; rows of other types only move the cursor. */
function framesOf({ type, data }: LedgerRow): ServerFrame[] {
  if (!isObject(data)) return [];
  // A row contains the payload of its frame, which is checked when the frame is handled.
  const payload: unknown = data;
  switch (type) {
    case "ui.updated":
      return [{ type: "props_update", payload: payload as PayloadOf<"props_update"> }];
    case "x-data":
      return [{ type: "data", payload: payload as PayloadOf<"data"> }];
    case "x-drained":
      return Array.isArray(data.eventIds)
        ? data.eventIds.map((eventId) => ({
            type: "drain_ack",
            payload: { ...(payload as PayloadOf<"drain_ack">), eventId: String(eventId) },
          }))
        : [];
    case "x-observed":
      return observed(payload as ObservedEvent);
    case "x-context":
      return observed({ ...(payload as ContextSyncedEvent), kind: "context-synced" });
    case "user.submitted":
      return observed({ ...(payload as ActionSubmittedEvent), kind: "action-submitted" });
    default:
      return [];
  }
}

function observed(event: ObservedEvent): ServerFrame[] {
  return [{ type: "observe", payload: { sessionId: "", event } }];
}

export class Cursor {
  /** Position of the last row read of the log. */
  sequence = 0;
  /** Position of the last item read of the streams. */
  streamSeq = 0;
  readonly #painted: number;

  /**
   * `painted` is the position of the state that is already shown; of rows up to it only items are
   * missing.
   */
  constructor(painted: number) {
    this.#painted = painted;
  }

  /** Whether a frame is new; an item is new once, on whichever transport it came first. */
  admits(frame: ServerFrame): boolean {
    if (frame.type !== "data") return true;
    const { seq } = frame.payload;
    if (!(seq > this.streamSeq)) return false;
    this.streamSeq = seq;
    return true;
  }

  /**
   * Moves over rows and returns the frames in them. Of the props only the newest count: they are
   * always whole.
   */
  framesOf(rows: readonly LedgerRow[]): ServerFrame[] {
    const frames: ServerFrame[] = [];
    let props: ServerFrame | undefined;
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

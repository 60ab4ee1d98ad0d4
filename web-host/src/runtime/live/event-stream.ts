// The second transport: the frames of the socket, one way, as an event stream.
// Read with fetch instead of an EventSource, which would hide the status and the body of a refusal.

import type { SubscribeAck } from "../../wire/frames";
import { readFrame } from "./socket";
import { addressed, lossOf, type OpenTransport } from "./transport";

/** Two heartbeats of the server. */
const SILENCE_LIMIT = 50_000;
const OPEN_LIMIT = 8000;

export function openEventStream(sseUrl: string): OpenTransport {
  return (reading, events) => {
    const { clock, cursor } = reading;
    const stop = new AbortController();
    let cancelWatch = () => {};
    let isOpen = true;

    const close = () => {
      isOpen = false;
      cancelWatch();
      stop.abort();
    };
    const lost = (slow = false) => {
      if (!isOpen) return;
      close();
      events.down({ kind: "lost", slow });
    };
    const watch = (limit: number, slow = false) => {
      cancelWatch();
      cancelWatch = clock.after(limit, () => lost(slow));
    };
    const event = (data: string, id: string) => {
      const frame = readFrame(data);
      const position = Number(id);
      if (position > cursor.sequence) cursor.sequence = position;
      if (!frame || !isOpen) return;
      if (frame.type === "ack") events.up(frame.payload as SubscribeAck);
      else events.frame(frame);
    };
    const read = async () => {
      const response = await fetch(addressed(sseUrl, reading, { fromSeq: cursor.streamSeq }), {
        signal: stop.signal,
        cache: "no-store",
      });
      if (!response.ok || !response.body) {
        const loss = await lossOf(response);
        if (!isOpen) return;
        close();
        return events.down(loss);
      }
      const lines = eventLines(event);
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || !isOpen) return lost();
        watch(SILENCE_LIMIT);
        lines(decoder.decode(value, { stream: true }));
      }
    };
    watch(OPEN_LIMIT, true);
    read().catch(() => lost());
    return { close };
  };
}

/** Parses the lines of an event stream into events, across any chunk boundaries. */
export function eventLines(event: (data: string, id: string) => void): (text: string) => void {
  let rest = "";
  let data: string[] = [];
  let id = "";
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) event(data.join("\n"), id);
        data = [];
        id = "";
      }
      const [, field, value] = /^(data|id): ?(.*)$/.exec(line) ?? [];
      if (field === "data") data.push(value!);
      else if (field === "id") id = value!;
    }
  };
}

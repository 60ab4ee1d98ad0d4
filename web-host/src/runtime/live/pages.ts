// The lower transports: the log read page by page, over HTTP or through the host.

import { isObject } from "../../draw/pointer";
import type { LedgerRow } from "../../wire/channel";
import { readJson } from "../../wire/json";
import type { RuntimeAnswer } from "../../wire/runtime";
import type { ReadResource } from "../mcp";
import type { Slice } from "../slice";
import { readMeta, readShell } from "../slice";
import { jittered } from "./clock";
import { addressed, type Loss, lossOf, type OpenTransport, type Reading } from "./transport";

/** Rows asked for at a time, and pages read before what they say is shown. */
const HTTP_ROWS = 500;
const HOST_ROWS = 100;
const PAGES_AT_ONCE = 50;
const POLL_EVERY = 2000;
/** A page that nobody looks at polls less often. */
const POLL_HIDDEN = 15_000;
/** Seconds the server holds an empty answer back, and how many of them make a session quiet. */
const HOLD = 20;
const QUIET_AFTER = 3;
const PULL_QUIET = 15_000;

/** An answer with rows: a page of the log. */
type Rows = RuntimeAnswer & Required<Pick<RuntimeAnswer, "events">>;
type Page = { readonly page: Rows } | { readonly horizon: number } | { readonly loss: Loss };

interface Source {
  /** `hold` lets the server wait until there is something to return. */
  page(after: number, hold: boolean): Promise<Page>;
  snapshot(): Promise<Slice | undefined>;
  /** Milliseconds until the next look, given how many looks in a row found nothing. */
  pause(empty: number): number;
}

function openPages(sourceOf: (reading: Reading, signal: AbortSignal) => Source): OpenTransport {
  return (reading, events) => {
    const { clock, cursor } = reading;
    const stop = new AbortController();
    const source = sourceOf(reading, stop.signal);
    const isOpen = () => !stop.signal.aborted;
    let empty = 0;
    let isLooking = false;
    let isUp = false;
    let cancelNext = () => {};

    const close = () => {
      stop.abort();
      cancelNext();
    };
    const down = (loss: Loss) => {
      close();
      events.down(loss);
    };
    /**
     * Rows up to the head of the log; a loss on the way throws away what came before it, and it is
     * read again.
     */
    const catchUp = async (): Promise<LedgerRow[] | Loss> => {
      const rows: LedgerRow[] = [];
      let after = cursor.sequence;
      for (let pages = 0; pages < PAGES_AT_ONCE; pages++) {
        const found = await source.page(after, isUp && pages === 0);
        if ("loss" in found) return found.loss;
        if ("horizon" in found) {
          const slice = await source.snapshot();
          if (!slice) return { kind: "lost" };
          if (!isOpen()) return [];
          rows.length = 0;
          after = cursor.sequence = slice.lastSequence ?? found.horizon;
          events.snapshot(slice);
          continue;
        }
        rows.push(...found.page.events);
        if (!found.page.hasMore || found.page.events.length === 0) break;
        after = found.page.events.at(-1)!.seq;
      }
      return rows;
    };
    const look = async () => {
      if (isLooking) return;
      cancelNext();
      isLooking = true;
      const found = await catchUp().catch((): Loss => ({ kind: "lost" }));
      isLooking = false;
      if (!isOpen()) return;
      if (!Array.isArray(found)) return down(found);
      if (!isUp) {
        isUp = true;
        events.up();
      }
      empty = found.length > 0 ? 0 : empty + 1;
      for (const frame of cursor.framesOf(found)) events.frame(frame);
      if (isOpen()) cancelNext = clock.after(source.pause(empty), () => void look());
    };
    const nudge = () => {
      empty = 0;
      void look();
    };
    void look();
    return { close, nudge };
  };
}

/** The third transport: polls `GET …/events`. */
export function openPolling(pollingUrl: string): OpenTransport {
  return openPages((reading, signal) => ({
    async page(after) {
      const response = await fetch(
        addressed(pollingUrl, reading, { sinceSequence: after, limit: HTTP_ROWS }),
        { signal, cache: "no-store" },
      );
      const body = response.status === 410 ? parsed(await response.clone().text()) : undefined;
      if (isObject(body) && body.reason === HORIZON)
        return { horizon: Number(body.currentSequence) || 0 };
      return response.ok
        ? pageOf(readJson(await response.text()))
        : { loss: await lossOf(response) };
    },
    snapshot: () => fetchState(pollingUrl, reading, signal),
    pause: () => jittered(document.hidden ? POLL_HIDDEN : POLL_EVERY, reading.clock),
  }));
}

interface Relay {
  callTool(name: string, args: unknown): Promise<RuntimeAnswer | undefined>;
  readResource(uri: string): Promise<ReadResource | undefined>;
}

/** The last transport: polls through the host, where nothing else gets out of the frame. */
export function openRelay(relay: Relay): OpenTransport {
  return openPages(({ sessionId, clock }) => ({
    async page(after, hold) {
      const answer = await relay.callTool("ggui_runtime_pull", {
        sessionId,
        sinceSequence: after,
        wait: hold ? HOLD : 0,
        limit: HOST_ROWS,
      });
      if (answer?.reason === HORIZON) return { horizon: Number(answer.currentSequence) || 0 };
      if (/session_not_found/i.test(String(answer?.error?.code)))
        return {
          loss: {
            kind: "ended",
            error: { code: "SESSION_NOT_FOUND", message: String(answer?.error?.message ?? "") },
          },
        };
      return pageOf(answer);
    },
    async snapshot() {
      const resource = await relay.readResource(`ui://ggui/render/${sessionId}`);
      const read = readMeta(readShell(String(resource?.contents?.[0]?.text ?? "")));
      return read.kind === "slice" ? read.slice : undefined;
    },
    pause: (empty) => (empty < QUIET_AFTER ? 0 : jittered(PULL_QUIET, clock)),
  }));
}

/** The current session with a token of its own: `GET …/state` beside `…/events`. */
export async function fetchState(
  pollingUrl: string,
  reading: Reading,
  signal?: AbortSignal,
): Promise<Slice | undefined> {
  const address = new URL(addressed(pollingUrl, reading));
  address.pathname = address.pathname.replace(/\/events$/, "/state");
  const response = await fetch(address, { cache: "no-store", ...(signal ? { signal } : {}) });
  const read = response.ok ? readMeta(await response.json()) : undefined;
  return read?.kind === "slice" && read.slice.sessionId === reading.sessionId
    ? read.slice
    : undefined;
}

const HORIZON = "REPLAY_HORIZON_PASSED";

function pageOf(body: unknown): Page {
  return isPage(body) ? { page: body } : { loss: { kind: "lost" } };
}

function isPage(value: unknown): value is Rows {
  return isObject(value) && Array.isArray(value.events);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Finds and checks the bootstrap slice, wherever it was delivered.

import { isObject } from "../draw/pointer";
import { type Fields, readJson } from "../wire/json";
import type { ThemeMode, Slice as WrittenSlice } from "../wire/slice";
import type { ToolResult } from "./mcp";

/** The key of the slice in an envelope or in a tool result's `_meta`. */
const SLICE_KEY = "ai.ggui/render";

/** A slice as it is read: the two names are certain, and other servers may leave out the rest. */
export type Slice = Pick<WrittenSlice, "sessionId" | "appId"> &
  Partial<WrittenSlice> & { readonly themeMode?: ThemeMode };

export type SliceResult =
  | { readonly kind: "none" }
  | { readonly kind: "slice"; readonly slice: Slice }
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

const MARKER = "globalThis.__GGUI_META__ = ";
const END = ";</script>";

/** The slice that is embedded in the page. */
export function readPage(): SliceResult {
  return readMeta((globalThis as { readonly __GGUI_META__?: unknown }).__GGUI_META__);
}

export function readMeta(meta: unknown, now = Date.now()): SliceResult {
  const raw = isObject(meta) ? meta[SLICE_KEY] : undefined;
  if (raw === undefined) return { kind: "none" };
  if (!isObject(raw)) return malformed("the slice is not an object");
  if (!isSlice(raw)) return malformed("sessionId or appId is missing");
  const slice: Slice = raw;
  if (isText(slice.wsUrl) !== isText(slice.wsToken))
    return malformed("wsUrl and wsToken belong together");
  if (slice.epoch !== undefined && !(Number.isInteger(slice.epoch) && slice.epoch >= 0))
    return malformed("epoch is not a whole number");
  if (slice.expiresAt !== undefined && Number.isNaN(Date.parse(slice.expiresAt)))
    return malformed("expiresAt is not a date");
  if (!isText(slice.viewJson) && !isText(slice.wsUrl))
    return {
      kind: "failed",
      reason: "MISSING_META_GGUI_BOOTSTRAP",
      message: "the slice has neither a view nor a live channel",
    };
  if (
    slice.expiresAt !== undefined &&
    Date.parse(slice.expiresAt) <= now &&
    !isText(slice.viewJson)
  ) {
    return { kind: "failed", reason: "EXPIRED_BOOTSTRAP", message: "the slice has expired" };
  }
  return { kind: "slice", slice };
}

function isSlice(value: Fields): value is Fields & Slice {
  return isText(value.sessionId) && isText(value.appId);
}

/** The envelope inside a shell document, as every reader of shells finds it. */
export function readShell(html: string): unknown {
  const start = html.indexOf(MARKER);
  const end = start < 0 ? -1 : html.indexOf(END, start);
  if (end < 0) return undefined;
  try {
    return JSON.parse(html.slice(start + MARKER.length, end));
  } catch {
    return undefined;
  }
}

/** The locator of a shell in a tool result that carries no slice. */
export function readLocator(toolResult: ToolResult): string | undefined {
  const uri =
    toolResult?.structuredContent?.resourceUri ??
    toolResult?._meta?.ui?.resourceUri ??
    toolResult?._meta?.["ui/resourceUri"];
  return typeof uri === "string" && uri.startsWith("ui://ggui/render/") ? uri : undefined;
}

export function parseJson(text: string | undefined): unknown {
  if (!isText(text)) return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function malformed(message: string): SliceResult {
  return { kind: "failed", reason: "MALFORMED_RENDER", message };
}

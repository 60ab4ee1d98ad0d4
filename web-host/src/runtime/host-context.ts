// What an agent may know about where its view is shown: a closed list of checked fields.

import { isObject } from "../draw/pointer";
import type { Json, JsonObject } from "../wire/json";

const MODES = new Set<unknown>(["inline", "fullscreen", "pip"]);
const PLATFORMS = new Set<unknown>(["web", "desktop", "mobile"]);
const MAX_TEXT = 64;

/** Uses the host's value if it has one, otherwise the browser's; never theme and styles. */
export function observedContext(host: { readonly [field: string]: unknown }): JsonObject {
  const modes = Array.isArray(host.availableDisplayModes)
    ? host.availableDisplayModes.filter((mode) => MODES.has(mode))
    : [];
  const mode = host.displayMode ?? host.currentDisplayMode;
  const found: { [field: string]: Json | undefined } = {
    availableDisplayModes: modes.length > 0 ? modes : undefined,
    currentDisplayMode: MODES.has(mode) ? String(mode) : undefined,
    containerDimensions: picked(
      host.containerDimensions,
      ["width", "maxWidth", "height", "maxHeight"],
      (value) => typeof value === "number" && Number.isFinite(value),
    ),
    platform: PLATFORMS.has(host.platform) ? String(host.platform) : undefined,
    deviceCapabilities: picked(
      host.deviceCapabilities,
      ["touch", "hover"],
      (value) => typeof value === "boolean",
    ) ?? {
      touch: matchMedia("(any-pointer: coarse)").matches,
      hover: matchMedia("(any-hover: hover)").matches,
    },
    locale: shortText(host.locale) ?? navigator.language,
    timeZone: shortText(host.timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function picked(
  from: unknown,
  names: readonly string[],
  fits: (value: unknown) => boolean,
): JsonObject | undefined {
  if (!isObject(from)) return undefined;
  const entries = names
    .filter((name) => Object.hasOwn(from, name) && fits(from[name]))
    .map((name) => [name, from[name]]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function shortText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT ? value : undefined;
}

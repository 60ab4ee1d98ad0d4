// Applies the theme of a host or a slice to the document: mode, style variables, place, language
// and direction.

import { directionOf } from "../strings";
import { isFields } from "../wire/json";
import type { Slice } from "./slice";

const MAX_VARIABLES = 200;
/** Pixels: more than the deepest notch or keyboard bar. */
const MAX_INSET = 400;
/**
 * Characters: some families with their font faces; embedded fonts are larger than a theme should
 * be.
 */
const MAX_FONTS = 256 * 1024;
const IMPORT = /@import\s+(?:url\(\s*)?["']?(https:\/\/[^"'()\s;\\]+)/g;
const SAFE_VALUE = /^[^;{}<>@]{1,256}$/;

export function applyMode(mode: unknown): void {
  if (mode === "light" || mode === "dark") document.documentElement.dataset.theme = mode;
}

/**
 * Only custom properties of the given prefix, and only values that cannot leave their declaration.
 */
export function applyVariables(variables: unknown, prefix: RegExp): void {
  if (typeof variables !== "object" || variables === null) return;
  for (const [name, value] of Object.entries(variables).slice(0, MAX_VARIABLES)) {
    if (
      prefix.test(name) &&
      typeof value === "string" &&
      SAFE_VALUE.test(value) &&
      !value.includes("/*")
    )
      document.documentElement.style.setProperty(name, value);
  }
}

/**
 * Fonts of the host: font faces and sheets over https that hold them, whatever else the text says.
 */
export function applyFonts(css: unknown): void {
  if (typeof css !== "string" || css.length > MAX_FONTS) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const faces = [...sheet.cssRules]
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map((rule) => rule.cssText);
  // A sheet that is made here drops imports, so they are read out of the text.
  const imports = [...css.matchAll(IMPORT)].map(([, url]) => `@import url("${url}");`);
  let style = document.querySelector<HTMLStyleElement>("style[data-host-fonts]");
  if (!style) {
    style = document.createElement("style");
    style.dataset.hostFonts = "";
    document.head.append(style);
  }
  style.textContent = [...imports, ...faces].join("\n");
}

export function applySliceTheme(slice: Slice): void {
  applyMode(slice.themeMode ?? slice.theme?.mode);
  applyVariables(slice.theme?.cssVariables, /^--ggui-[a-zA-Z0-9-]+$/);
}

/** How much of the screen the view was given, and what of it lies under notches and bars. */
export function applyPlace({
  displayMode,
  safeAreaInsets,
}: {
  readonly displayMode?: unknown;
  readonly safeAreaInsets?: unknown;
}): void {
  const { dataset, style } = document.documentElement;
  if (displayMode === "inline" || displayMode === "fullscreen" || displayMode === "pip")
    dataset.displayMode = displayMode;
  if (!isFields(safeAreaInsets)) return;
  for (const side of ["top", "right", "bottom", "left"] as const) {
    const inset = Number(safeAreaInsets[side]);
    if (inset >= 0 && inset <= MAX_INSET) style.setProperty(`--ggui-inset-${side}`, `${inset}px`);
  }
}

export function applyLocale(locale: string): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(locale);
}

/** The locale as Intl accepts it, or English. */
export function usableLocale(locale: unknown): string {
  try {
    return Intl.getCanonicalLocales(String(locale))[0] ?? "en";
  } catch {
    return "en";
  }
}

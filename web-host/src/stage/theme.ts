// Light, dark or as the system is; kept where the browser allows it.

import { computed, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "proscenium-theme";
const order: readonly Theme[] = ["system", "light", "dark"];
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const dark = signal(systemDark.matches);
systemDark.addEventListener("change", (event) => (dark.value = event.matches));

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return order.find((theme) => theme === value) ?? "system";
  } catch {
    return "system";
  }
}

export const theme = signal<Theme>(stored());

/** The theme frames get: they do not know "system". */
export const shownTheme = computed<"light" | "dark">(() =>
  theme.value === "system" ? (dark.value ? "dark" : "light") : theme.value,
);

export function nextTheme(): void {
  theme.value = order[(order.indexOf(theme.peek()) + 1) % order.length]!;
  try {
    localStorage.setItem(KEY, theme.peek());
  } catch {
    return;
  }
}

effect(() => {
  document.documentElement.dataset.theme = shownTheme.value;
});

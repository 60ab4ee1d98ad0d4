// What only some components say. A view without them does not carry it.

export const seatStrings = {
  free: "Free",
  taken: "Taken",
  legend: "Legend",
} as const;

export const canvasStrings = {
  lookCloser: "Drag to look closer, double-click to see all. By keys: arrows, + and −, 0.",
  shownPart: (from: string, to: string) => `${from} – ${to}`,
  showAll: "Show all",
} as const;

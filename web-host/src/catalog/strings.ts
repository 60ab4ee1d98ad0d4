// What only some components say. A view without them does not carry it.

export const seatStrings = {
  free: "Free",
  taken: "Taken",
  legend: "Legend",
} as const;

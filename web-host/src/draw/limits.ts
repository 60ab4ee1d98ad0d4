// How much one picture may hold. A view or its data may be of any size and mean harm; what a person
// is shown stays something a browser draws in a moment. What goes back to the agent is never cut.

/** Letters one text shows: some ten printed pages. */
export const MAX_TEXT = 20_000;
/** Letters all texts of one component, or of one view, show together: a browser lays them out within a second. */
const MAX_LETTERS = 1_000_000;
/** Letters of one text among very many: three lines. */
export const MIN_TEXT = 200;
/** Letters of code, of JSON and of a difference: some four thousand lines. */
export const MAX_SOURCE = 200_000;
/** Letters of a name: what stands on a card, in a tree, beside a box. */
const MAX_NAME = 500;
/** Parts one property of a component may list: facts, columns, tabs, options. More is no view for people. */
export const MAX_PARTS = 2000;
/** Options to choose from, and as many fields as a form has: longer than the list of all time zones. */
export const MAX_OPTIONS = 1000;
export const MAX_FIELDS = 500;
/** Rows that the lists of a form show together. */
const MAX_ROWS = 1000;
/** Columns of a table, lines in a chart, and what can be done with one record: more fit on no screen. */
export const MAX_COLUMNS = 60;
export const MAX_SERIES = 24;
export const MAX_ROW_ACTIONS = 20;

export function shorten(text: string, letters = MAX_TEXT): string {
  return text.length > letters ? `${text.slice(0, letters)}…` : text;
}

/** A name as it is shown. */
export function shortName(text: string): string {
  return shorten(text, MAX_NAME);
}

/** How many letters each of so many places may show. */
export function lettersEach(places: number): number {
  return Math.min(MAX_TEXT, Math.max(MIN_TEXT, Math.floor(MAX_LETTERS / Math.max(places, 1))));
}

/** How much there may be in one of so many forms, where so many nodes may still be drawn: its fields, and the rows of its lists. */
export function roomForForm(forms: number, budget: number): number {
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(budget / Math.max(forms, 1))));
}

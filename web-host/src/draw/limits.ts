// How much one page may show. A view or its data may be of any size, and hostile; what a person is
// shown stays something a browser draws quickly. What is sent back to the agent is never cut.

/** Characters one text shows: some ten printed pages. */
export const MAX_TEXT = 20_000;
/**
 * Characters all texts of one component, or of one view, show together: a browser lays them out
 * within a second.
 */
const MAX_LETTERS = 1_000_000;
/** Characters of one text among very many: three lines. */
export const MIN_TEXT = 200;
/** Characters of code, of JSON and of a difference: some four thousand lines. */
export const MAX_SOURCE = 200_000;
/** Characters of a name on a card, in a tree, or beside a box. */
const MAX_NAME = 500;
/**
 * Parts one property of a component may list: facts, columns, tabs, options. Views for people have
 * fewer.
 */
export const MAX_PARTS = 2000;
/**
 * Options to choose from, and as many fields as a form has: longer than the list of all time zones.
 */
export const MAX_OPTIONS = 1000;
export const MAX_FIELDS = 500;
/** Rows that the lists of a form show together. */
const MAX_ROWS = 1000;
/** Columns of a table, and actions of one record: more do not fit on a screen. */
export const MAX_COLUMNS = 60;
export const MAX_ROW_ACTIONS = 20;

export function shorten(text: string, letters = MAX_TEXT): string {
  return text.length > letters ? `${text.slice(0, letters)}…` : text;
}

/** A name as it is shown. */
export function shortName(text: string): string {
  return shorten(text, MAX_NAME);
}

/** How many characters each of this many places may show. */
export function lettersEach(places: number): number {
  return Math.min(MAX_TEXT, Math.max(MIN_TEXT, Math.floor(MAX_LETTERS / Math.max(places, 1))));
}

/**
 * The limits of one of this many forms, given how many nodes may still be drawn: its fields, and
 * the rows of its lists.
 */
export function roomForForm(forms: number, budget: number): number {
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(budget / Math.max(forms, 1))));
}

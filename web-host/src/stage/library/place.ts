// Where in the library a person is: nowhere, at the list of pages, or at one page.

import { signal } from "@preact/signals";

const LIST = "#pages";
const PAGE = "#page=";

/** Null on the stage itself; empty at the list; else the address of a page. */
export const place = signal(readPlace());

export function readPlace(): string | null {
  const { hash } = location;
  if (hash === LIST) return "";
  try {
    return hash.startsWith(PAGE) ? decodeURIComponent(hash.slice(PAGE.length)) : null;
  } catch {
    return "";
  }
}

export const listAddress = LIST;

export function pageAddress(slug: string): string {
  return `${PAGE}${encodeURIComponent(slug)}`;
}

/** The slug without the name of its collection, for people. */
export function shortSlug(slug: string): string {
  return slug.slice(slug.indexOf("::") + 1).replace(/^:/, "");
}

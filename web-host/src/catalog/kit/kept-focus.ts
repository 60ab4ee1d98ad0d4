// The focus stays with a record that is drawn elsewhere, and goes to its neighbour where it is gone.

import { useLayoutEffect } from "preact/hooks";

/** A dialog stands for the control that opened it: what it holds is not in other records. */
const CONTROLS = ":is(button, input, select, textarea, a[href], summary):not(dialog *)";

/** `record` matches what stands for one record; its key is the value of the attribute `key`. */
export function useKeptFocus(box: { readonly current: HTMLElement | null }, record: string, key: string): void {
  const active = document.activeElement;
  const held = box.current?.contains(active) ? active!.closest(record) : null;
  const at = held ? { key: held.getAttribute(key), index: [...box.current!.querySelectorAll(record)].indexOf(held), control: lastUpTo(active!, held.querySelectorAll(CONTROLS)) } : undefined;
  useLayoutEffect(() => {
    if (!at || active!.isConnected || !box.current) return;
    const records = [...box.current.querySelectorAll<HTMLElement>(record)];
    const next = records.find((other) => other.getAttribute(key) === at.key) ?? records[Math.min(at.index, records.length - 1)];
    const controls = next ? [...next.querySelectorAll<HTMLElement>(CONTROLS)] : [];
    ((at.control < 0 ? next : controls[at.control] ?? controls[0]) ?? box.current).focus({ preventScroll: true });
  });
}

/** The place of the last of `controls` that is `active` or stands before it, or −1. */
function lastUpTo(active: Element, controls: NodeListOf<Element>): number {
  return [...controls].findLastIndex((control) => !(active.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING));
}

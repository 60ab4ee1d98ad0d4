// The focus stays with a record that is drawn elsewhere, and goes to its neighbour where it is gone.

import { useLayoutEffect } from "preact/hooks";

const CONTROLS = "button, input, select, textarea, a[href], summary";

/** `record` matches what stands for one record; its key is the value of the attribute `key`. */
export function useKeptFocus(box: { readonly current: HTMLElement | null }, record: string, key: string): void {
  const active = document.activeElement;
  const held = box.current?.contains(active) ? active!.closest(record) : null;
  const at = held ? { key: held.getAttribute(key), index: [...box.current!.querySelectorAll(record)].indexOf(held), control: [...held.querySelectorAll(CONTROLS)].indexOf(active!) } : undefined;
  useLayoutEffect(() => {
    if (!at || active!.isConnected || !box.current) return;
    const records = [...box.current.querySelectorAll<HTMLElement>(record)];
    const next = records.find((other) => other.getAttribute(key) === at.key) ?? records[Math.min(at.index, records.length - 1)];
    const controls = next ? [...next.querySelectorAll<HTMLElement>(CONTROLS)] : [];
    ((at.control < 0 ? next : controls[at.control] ?? controls[0]) ?? box.current).focus({ preventScroll: true });
  });
}

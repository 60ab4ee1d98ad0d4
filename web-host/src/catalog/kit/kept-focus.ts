// Keeps the focus when the focused element is removed: it moves to a neighbour before the next
// paint.

const RECORDS = ["data-row", "data-card", "data-record"];
const RECORD = RECORDS.map((name) => `[${name}]`).join();
/** A dialog stands for the control that opened it: its fields are not in other records. */
const CONTROLS =
  ":is(button, input, select, textarea, a[href], summary, [tabindex='0']):not(dialog *)";
/** The next key must not type into another record, nor press anything. */
const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Watches the page, as a whole and for as long as it lives. */
export function keepFocus(): void {
  let at = document.activeElement as HTMLElement | undefined;
  document.addEventListener("focusin", ({ target }) => (at = target as HTMLElement));
  // A focus that moved by itself is left alone; a removed element is handled before this.
  document.addEventListener("focusout", () => setTimeout(() => isNowhere() && (at = undefined)));
  new MutationObserver((changes) => {
    if (!at || !isNowhere()) return;
    // What moved within the page lost the focus by that; any other loss was meant, such as a way
    // into the page around this one.
    const moved = at.isConnected && changes.some(({ removedNodes }) => holds(removedNodes, at!));
    const places = at.isConnected ? (moved ? [at] : []) : placesFor(at, changes);
    if (places.length === 0) return;
    at = undefined;
    const go = () => {
      for (const to of places) {
        if (!isNowhere()) return;
        if (to.matches("main, [data-component]:not([tabindex])")) to.tabIndex = -1;
        to.focus({ preventScroll: true });
      }
    };
    // If a person left the page for another one, the focus is not moved before they return.
    if (document.hasFocus()) go();
    else addEventListener("focus", go, { once: true });
  }).observe(document.body, { childList: true, subtree: true });
}

function isNowhere(): boolean {
  return document.activeElement === document.body;
}

function holds(nodes: NodeList, node: Node): boolean {
  return [...nodes].some((other) => other.contains(node));
}

/** The best place first. */
function placesFor(at: HTMLElement, changes: readonly MutationRecord[]): HTMLElement[] {
  const removal = (node: Node) =>
    changes.find(({ target, removedNodes }) => target.isConnected && holds(removedNodes, node));
  const gone = removal(at);
  if (!gone) return [];
  const target = gone.target as HTMLElement;
  let next = gone.nextSibling;
  // Several neighbours may have been removed together.
  for (let turns = changes.length; next && !next.isConnected && turns > 0; turns--)
    next = removal(next)?.nextSibling ?? null;
  const part = target.closest<HTMLElement>("[data-component]");
  const record = at.closest(RECORD);
  const around = [target.closest<HTMLElement>("[tabindex]"), part, document.querySelector("main")];
  let to: HTMLElement | null | undefined;
  if (record && part) {
    const name = RECORDS.find((name) => record.hasAttribute(name))!;
    const same = part.querySelector<HTMLElement>(
      `[${name}="${CSS.escape(record.getAttribute(name)!)}"]`,
    );
    const near =
      same ??
      (at.matches(TYPED)
        ? null
        : beside(next as Element | null, gone.previousSibling as Element | null));
    const index = [...record.querySelectorAll(CONTROLS)].findLastIndex(
      (control) => !follows(control, at),
    );
    const controls = near?.querySelectorAll<HTMLElement>(CONTROLS);
    to = index < 0 ? near : (controls?.[index] ?? controls?.[0]);
  } else if (target.tabIndex === 0) to = target;
  else if (part && !at.matches(TYPED)) {
    const near =
      [target, target.closest(RECORD)].find((place) => place?.querySelector(CONTROLS)) ?? part;
    const controls = [...near.querySelectorAll<HTMLElement>(CONTROLS)];
    const after = (control: Element) =>
      next
        ? control === next || follows(control, next)
        : follows(control, target) && !target.contains(control);
    to =
      (at.closest("dialog") ? undefined : controls.find(after)) ??
      controls.findLast((control) => !after(control)) ??
      controls[0];
  }
  return [to, ...around].filter((place) => place !== null && place !== undefined);
}

/** The record that stands there now, or the one before it. */
function beside(next: Element | null, previous: Element | null): HTMLElement | null {
  while (next && !next.matches(RECORD)) next = next.nextElementSibling;
  while (!next && previous && !previous.matches(RECORD)) previous = previous.previousElementSibling;
  return (next ?? previous) as HTMLElement | null;
}

function follows(node: Node, other: Node): boolean {
  return Boolean(other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
}

// Where a person has scrolled to, kept while another view takes the place of the one that is shown.

/** Something scrolled, by its place among the elements like it. */
interface Scrolled {
  readonly component: string;
  readonly at: number;
  readonly inner: string;
  readonly top: number;
  readonly left: number;
}

const COMPONENTS = "[data-component]";

/** The elements like one, in order: of the same component, and of the same class within it. */
const like = (component: string, inner: string): Element[] => {
  const roots = document.querySelectorAll(`[data-component="${CSS.escape(component)}"]`);
  return [...roots].flatMap((root) => [
    ...(root.className === inner ? [root] : []),
    ...[...root.querySelectorAll("*")].filter(
      (one) => one.className === inner && one.closest(COMPONENTS) === root,
    ),
  ]);
};

/** Notes what is scrolled, the page and what is within it; what it gives goes back there. */
export function place(): () => void {
  const { scrollX, scrollY } = window;
  const all: Scrolled[] = [];
  for (const element of document.querySelectorAll(`${COMPONENTS}, ${COMPONENTS} *`)) {
    const { scrollTop: top, scrollLeft: left } = element;
    if (!top && !left) continue;
    const component = element.closest<HTMLElement>(COMPONENTS)!.dataset.component!;
    const inner = element.className;
    all.push({ component, at: like(component, inner).indexOf(element), inner, top, left });
  }
  return () => {
    for (const { component, at, inner, top, left } of all)
      like(component, inner)[at]?.scrollTo({ top, left, behavior: "instant" });
    scrollTo({ top: scrollY, left: scrollX, behavior: "instant" });
  };
}

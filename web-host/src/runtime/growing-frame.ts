// Whether the frame grows with what it shows: as long as it does, a scroll bar would only flash in
// it and move every line.

/** A host that has not resized the frame after this many milliseconds does not. */
const FOLLOWS_WITHIN = 1000;

/**
 * Marks the page with `data-grows` while its frame keeps up with an element; it can be scrolled all
 * the same.
 */
export function watchFrame(element: Element): void {
  const page = document.documentElement;
  let looking = false;
  const look = () => {
    if (looking) return;
    looking = true;
    const { height } = element.getBoundingClientRect();
    setTimeout(() => {
      looking = false;
      page.toggleAttribute("data-grows", height <= innerHeight);
      if (element.getBoundingClientRect().height !== height) look();
    }, FOLLOWS_WITHIN);
  };
  page.toggleAttribute("data-grows", true);
  new ResizeObserver(look).observe(element);
  addEventListener("resize", look);
}

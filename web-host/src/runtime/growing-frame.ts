// Whether the frame grows with what it shows: as long as it does, a scroll bar would only flash in
// it and move every line.

/** A host that has not resized the frame after this many milliseconds does not. */
const FOLLOWS_WITHIN = 1000;
/** Animation frames that have to pass as well: on a busy machine, the host is slow, too. */
const FOLLOWS_WITHIN_ANIMATION_FRAMES = 60;

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
    afterHostHadTime(() => {
      looking = false;
      page.toggleAttribute("data-grows", height <= innerHeight);
      if (element.getBoundingClientRect().height !== height) look();
    });
  };
  page.toggleAttribute("data-grows", true);
  new ResizeObserver(look).observe(element);
  addEventListener("resize", look);
}

function afterHostHadTime(then: () => void): void {
  const end = performance.now() + FOLLOWS_WITHIN;
  let left = FOLLOWS_WITHIN_ANIMATION_FRAMES;
  const tick = () => {
    if (--left <= 0 && performance.now() >= end) then();
    else requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

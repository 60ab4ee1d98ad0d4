// Whether the frame grows with what it shows: as long as it does, a scroll bar would only flash in
// it and move every line.

/** A host that has not resized the frame after this many milliseconds does not. */
const FOLLOWS_WITHIN = 1000;
/** Pictures drawn meanwhile: where the machine is slow, so is the host. */
const FOLLOWS_WITHIN_PICTURES = 60;

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
    afterPatience(() => {
      looking = false;
      page.toggleAttribute("data-grows", height <= innerHeight);
      if (element.getBoundingClientRect().height !== height) look();
    });
  };
  page.toggleAttribute("data-grows", true);
  new ResizeObserver(look).observe(element);
  addEventListener("resize", look);
}

function afterPatience(then: () => void): void {
  const end = performance.now() + FOLLOWS_WITHIN;
  let pictures = FOLLOWS_WITHIN_PICTURES;
  const drawn = () => {
    if (--pictures <= 0 && performance.now() >= end) then();
    else requestAnimationFrame(drawn);
  };
  requestAnimationFrame(drawn);
}

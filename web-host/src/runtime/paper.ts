// The height of a view in print, where nothing scrolls: while printing there is no time to measure
// it.

import { whenIdle } from "./painted";

const MEASURED_EVERY = 2000;
/** What scrolls by itself on a screen. */
const SCROLLERS = "pre, .g-log-box, .g-table-box, textarea";

export function measureForPaper(element: Element, report: (height: number) => void): void {
  let reported = 0;
  const measure = () => {
    let height = element.getBoundingClientRect().height;
    for (const { scrollHeight, clientHeight } of element.querySelectorAll(SCROLLERS))
      height += scrollHeight - clientHeight;
    height = Math.ceil(height);
    if (height !== reported) report((reported = height));
  };
  setInterval(() => whenIdle(measure), MEASURED_EVERY);
}

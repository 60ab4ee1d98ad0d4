// Whether a question has been in sight for long enough to be answered.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";

/**
 * Milliseconds in sight before an answer counts: longer than both halves of a double click, and
 * than a hand takes to stop a click that was begun before the page changed under it.
 */
const SEEN_FOR = 700;

/** True until the view around an element has been in sight for long enough, and while it is not. */
export function useUnseen(element: RefObject<HTMLElement | null>): ReadonlySignal<boolean> {
  const unseen = useMemo(() => signal(true), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isWithin = false;
    const judge = () => {
      clearTimeout(timer);
      if (isWithin && document.visibilityState === "visible")
        timer = setTimeout(() => (unseen.value = false), SEEN_FOR);
      else unseen.value = true;
    };
    // Of the whole view: a dialog over it may have scrolled the buttons themselves away.
    const observer = new IntersectionObserver((entries) => {
      isWithin = entries.at(-1)!.isIntersecting;
      judge();
    });
    observer.observe(element.current!.closest(".g-view") ?? element.current!);
    document.addEventListener("visibilitychange", judge);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("visibilitychange", judge);
    };
  }, []);
  return unseen;
}

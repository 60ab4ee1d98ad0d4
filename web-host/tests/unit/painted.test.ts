// What waits for the first picture: until it was seen, and no longer than it takes to know that nobody looks.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { afterPaint } from "../../src/runtime/painted";

describe("what waits for the first picture", () => {
  let frames: (() => void)[];
  let observers: (() => void)[];

  beforeEach(() => {
    vi.useFakeTimers();
    frames = [];
    observers = [];
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
    vi.stubGlobal(
      "PerformanceObserver",
      class {
        constructor(readonly callback: () => void) {}
        observe = () => observers.push(this.callback);
      },
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("begins once the picture is seen, not as soon as it is painted, and once", () => {
    const run = vi.fn();
    afterPaint(run);
    for (const frame of frames) frame();
    vi.advanceTimersByTime(1);
    expect(run).not.toHaveBeenCalled();
    for (const callback of [...observers, ...observers]) callback();
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    expect(run).toHaveBeenCalledTimes(1);
  });
  it("begins by itself where nobody looks and no frame is ever painted", () => {
    const run = vi.fn();
    afterPaint(run);
    vi.advanceTimersByTime(499);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

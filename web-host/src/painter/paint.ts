// Lines, areas and bars of very many points on a canvas: uPlot, drawn as the charts of fewer points
// are.

import UPlot from "uplot";
import library from "uplot/dist/uPlot.min.css?inline";
import { Ink } from "./ink";
import { last, optionsOf, padOf } from "./options";
import own from "./paint.css?inline";
import type { Paint, Part, Picture } from "./picture";
import { zoomByTouch } from "./touch";

let styled = false;

/** Once a page: the rules are the same for every picture. */
function style(): void {
  if (styled) return;
  styled = true;
  const sheet = document.createElement("style");
  sheet.textContent = library + own;
  document.head.append(sheet);
}

export const paint: Paint = (box, first, listener) => {
  style();
  let picture = first;
  let closer: Part | null = null;
  const ink = new Ink(box, remake);
  let plot = make();
  const sized = new ResizeObserver(() =>
    plot.setSize({ width: widthOf(box), height: picture.height }),
  );
  sized.observe(box);

  function make(): UPlot {
    const made = new UPlot(
      optionsOf(() => picture, ink, widthOf(box), { ...listener, shown }),
      dataOf(picture),
      box,
    );
    zoomByTouch(made);
    return made;
  }

  function shown(part: Part | null): void {
    closer = part;
    listener.shown(part);
  }

  /** Fonts are only measured while a plot is made. */
  function remake(): void {
    const part = closer;
    plot.destroy();
    plot = make();
    show(part);
  }

  function show(part: Part | null): void {
    const half = padOf(picture);
    const { from, to } = part ?? { from: 0, to: last(picture) };
    // At once: what is asked of the plot next is asked of the part that is shown then.
    plot.batch(() => plot.setScale("x", { min: from - half, max: to + half }));
  }

  return {
    repaint(next) {
      if (next === picture) return;
      picture = next;
      // Who sees all goes on seeing all; who looks closer goes on looking at the same places.
      plot.batch(() => {
        plot.setData(dataOf(picture), false);
        plot.setScale("y", { min: picture.scale.min, max: picture.scale.max });
        show(closer);
      });
    },
    read(at) {
      if (at === null) return plot.setCursor({ left: -10, top: -10 });
      if (closer && (at < closer.from || at > closer.to)) {
        const width = closer.to - closer.from;
        show(at < closer.from ? { from: at, to: at + width } : { from: at - width, to: at });
      }
      plot.setCursor({ left: plot.valToPos(at, "x"), top: 0 });
    },
    show,
    end() {
      sized.disconnect();
      ink.end();
      plot.destroy();
    },
  };
};

function dataOf({ columns }: Picture): UPlot.AlignedData {
  return [columns[0]!.map((_, at) => at), ...columns] as UPlot.AlignedData;
}

function widthOf(box: HTMLElement): number {
  return Math.max(200, Math.round(box.clientWidth));
}

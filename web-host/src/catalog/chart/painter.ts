// Where the painter of very many points is: in the page, or to be fetched once it is needed.

import { useEffect, useState } from "preact/hooks";
import { useDraw } from "../../draw/context";
import { PAINTER, type Paint } from "../../painter/picture";

/** What the build knows of the painter: its file beside the guest's, the hash of its text, and when it serves. */
declare const __PAINTER__: {
  readonly file: string;
  readonly integrity: string;
  readonly above: number;
};

/** Points up to which a chart is SVG. */
export const PAINTED_ABOVE = __PAINTER__.above;

function found(): Paint | undefined {
  return (globalThis as { [PAINTER]?: Paint })[PAINTER];
}

let fetching: Promise<unknown> | undefined;

/** Data that grew after its shell was written: the one script that fits its hash is fetched, and run as part of the page. */
function fetched(runtimeUrl: string): Promise<unknown> {
  fetching ??= fetch(new URL(__PAINTER__.file, runtimeUrl), {
    integrity: __PAINTER__.integrity,
    credentials: "omit",
  })
    .then((response) => response.text())
    .then((code) => {
      const script = document.createElement("script");
      script.textContent = code;
      document.head.append(script);
    })
    // A host may allow no such script: then the picture stays the one of fewer points.
    .catch(() => (fetching = undefined));
  return fetching;
}

/** The painter where a chart wants it and it is there. */
export function usePainter(isWanted: boolean): Paint | undefined {
  const { runtimeUrl } = useDraw();
  const [, tried] = useState(0);
  const isMissing = isWanted && !found();
  useEffect(() => {
    if (!isMissing || !runtimeUrl) return;
    let here = true;
    void fetched(runtimeUrl).then(() => here && tried((times) => times + 1));
    return () => void (here = false);
  }, [isMissing, runtimeUrl]);
  return isWanted ? found() : undefined;
}

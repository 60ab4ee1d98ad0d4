// Finds the painter of very many points: already in the page, or to be fetched when it is needed.

import { useEffect, useState } from "preact/hooks";
import { useDraw } from "../../draw/context";
import { PAINTER, type Paint } from "../../painter/picture";

/** What the build knows about the painter: its file, the hash of its text, and when it is used. */
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

/**
 * For data that grew after its shell was written: fetches the script with this hash and runs it.
 */
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
    // If the host's policy forbids such scripts, the chart stays the one of fewer points.
    .catch(() => (fetching = undefined));
  return fetching;
}

/** The painter, if the chart needs it and it is available. */
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

// What is printed looks as on the screen: a frame keeps its width, and so its height, and is made
// smaller as a whole.

/** Pixels of the usable width of A4 and Letter, at the resolution of CSS. */
const PAPER = 700;

export function fitToPaper(): void {
  const frames = () => document.querySelectorAll<HTMLIFrameElement>("iframe");
  addEventListener("beforeprint", () => {
    const widths = [...frames()].map(({ clientWidth }) => clientWidth);
    const zoom = Math.min(1, PAPER / Math.max(1, ...widths));
    document.documentElement.style.setProperty("--print-zoom", String(zoom));
    for (const frame of frames()) frame.style.inlineSize = `${frame.clientWidth}px`;
  });
  addEventListener("afterprint", () => {
    for (const frame of frames()) frame.style.inlineSize = "";
  });
}

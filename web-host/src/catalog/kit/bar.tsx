// A bar that is filled as far as something is done.

import type { JSX } from "preact";
import { addStyles } from "../styles";
import css from "../styles/bar.css?inline";

addStyles(css);

/** `share` is how much of it is filled, from 0 to 1. */
export function Bar({ share, ...said }: JSX.IntrinsicElements["div"] & { share: number }) {
  return (
    <div class="g-bar" {...said}>
      <div style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}

// The guest's styles: those of every page, and those its components bring along, put into the
// document at boot so that a shell needs one file and carries no rule for what it does not draw.

import base from "./styles/base.css?inline";
import controls from "./styles/controls.css?inline";
import media from "./styles/media.css?inline";
import tokens from "./styles/tokens.css?inline";

const sheets = [tokens, base, media, controls];

/** Called by what a sheet is for, as it is loaded: it stands after the sheets of every page. */
export function addStyles(sheet: string): void {
  sheets.push(sheet);
}

/** The sheets of all that was loaded, as one. */
export function styles(): string {
  return sheets.join("");
}

// Starts the stage page.

import { render } from "preact";
import { keepFocus } from "../catalog/kit/kept-focus";
import base from "../catalog/styles/base.css?inline";
import controls from "../catalog/styles/controls.css?inline";
import dialog from "../catalog/styles/dialog.css?inline";
import diff from "../catalog/styles/diff.css?inline";
import fields from "../catalog/styles/fields.css?inline";
import media from "../catalog/styles/media.css?inline";
import text from "../catalog/styles/text.css?inline";
import tokens from "../catalog/styles/tokens.css?inline";
import { directionOf } from "../strings";
import { callPeople } from "./call";
import { config } from "./config";
import { openFeed } from "./feed";
import library from "./library/library.css?inline";
import { place, readPlace } from "./library/place";
import { Page } from "./pages";
import panels from "./panels.css?inline";
import { fitToPaper } from "./paper";
import stage from "./stage.css?inline";
import { chosen, putSession, readHash } from "./state";

const style = document.createElement("style");
style.textContent =
  tokens + base + dialog + media + controls + fields + diff + text + stage + panels + library;
document.head.append(style);
document.documentElement.dir = directionOf(document.documentElement.lang);

if (config.mode === "one") {
  putSession(config.session);
} else {
  openFeed(config.feedUrl);
  callPeople();
  window.addEventListener("hashchange", () => {
    place.value = readPlace();
    chosen.value = readHash();
  });
}
keepFocus();
fitToPaper();
const root = document.getElementById("stage")!;
root.replaceChildren();
render(<Page />, root);

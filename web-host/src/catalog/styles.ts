// The guest's styles as one text, put into the document at boot so that a shell needs one file.

import base from "./styles/base.css?inline";
import controls from "./styles/controls.css?inline";
import data from "./styles/data.css?inline";
import tokens from "./styles/tokens.css?inline";

export const styles = tokens + base + controls + data;

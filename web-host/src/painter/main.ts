// The painter as a script of its own: it leaves one function in the page, and takes nothing from
// it.

import { paint } from "./paint";
import { PAINTER } from "./picture";

Object.assign(globalThis, { [PAINTER]: paint });

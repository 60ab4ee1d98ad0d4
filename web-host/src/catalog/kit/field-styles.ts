// The styles of whatever a person fills in. A view that asks for nothing does not carry them.

import { addStyles } from "../styles";
import css from "../styles/fields.css?inline";

addStyles(css);

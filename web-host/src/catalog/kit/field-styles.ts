// The styles of input fields. A view without input does not contain them.

import { addStyles } from "../styles";
import css from "../styles/fields.css?inline";

addStyles(css);

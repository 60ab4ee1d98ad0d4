// The styles that several pictures of data share. A view without data does not contain them.

import { addStyles } from "../styles";
import css from "../styles/data.css?inline";

addStyles(css);

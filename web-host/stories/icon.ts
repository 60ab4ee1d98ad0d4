// Icon: a picture of one thing.

import { story } from "./story";

export default story({ component: "Icon", name: "event", accessibility: { label: "Date" } });

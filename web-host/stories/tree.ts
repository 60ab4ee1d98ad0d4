// Tree: records inside records.

import { story } from "./story";

export default story(
  {
    component: "Tree",
    title: "Files",
    root: { path: "/props/site" },
    childrenField: "inner",
    titleField: "name",
    columns: [{ field: "size", label: "Size", format: "bytes" }],
    rowActions: [{ action: "open", label: "Open", fixed: { name: "name" } }],
  },
  {
    site: {
      name: "site",
      inner: [
        { name: "src", inner: [{ name: "main.ts", size: 2048 }] },
        { name: "README.md", size: 800 },
      ],
    },
  },
);

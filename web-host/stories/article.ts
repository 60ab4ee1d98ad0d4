// Article: the sections of a text, with what can be done with each.

import { story } from "./story";

export default story(
  {
    component: "Article",
    title: "Draft",
    rows: { path: "/props/sections" },
    key: "id",
    numberField: "number",
    titleField: "heading",
    textField: "body",
    textFormat: "markdown",
    columns: [{ field: "state", label: "State" }],
    rowActions: [
      {
        action: "comment",
        label: "Comment",
        fixed: { sectionId: "id" },
        inputs: {
          type: "object",
          properties: { remark: { type: "string", title: "Remark" } },
          required: ["remark"],
        },
      },
    ],
    emptyText: "No draft yet.",
  },
  {
    sections: [
      {
        id: "s1",
        number: 1,
        heading: "State of the bridges",
        body: "Of **212 bridges** the county keeps, eleven carry a weight limit:\n\n- six over the Ems\n- five over canals",
        state: "agreed",
      },
      {
        id: "s2",
        number: 2,
        heading: "What repair costs",
        body: "The two oldest need new bearings this year.",
        state: "needs figures",
      },
      { id: "s3", number: 3, body: "A section without a heading is read all the same." },
    ],
  },
);

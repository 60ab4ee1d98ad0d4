// Wizard: a form in steps.

import { story } from "./story";

export default story(
  {
    component: "Wizard",
    title: "Sign-up",
    rows: { path: "/props/steps" },
    labelField: "title",
    key: "id",
    hintField: "hint",
    schema: {
      type: "object",
      properties: {
        account: {
          type: "object",
          properties: { company: { type: "string", minLength: 1 } },
          required: ["company"],
        },
        plan: { type: "string", enum: ["drizzle", "storm"] },
        terms: { type: "boolean", const: true },
      },
      required: ["account", "plan", "terms"],
    },
    submitLabel: "Finish",
    action: "finish",
    confirm: true,
  },
  {
    steps: [
      { id: "account", title: "Who are you?", hint: "We send the key to this address." },
      { id: "plan", title: "Pick a plan", hint: "You can change it each month." },
      { id: "review", title: "Check and finish", hint: "Nothing is charged yet." },
    ],
  },
);

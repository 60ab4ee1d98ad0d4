// Form: everything a form can ask for.

import { story } from "./story";

export default story({
  component: "Form",
  title: "Book a table",
  submitLabel: "Book",
  action: "book",
  confirm: true,
  description: "We answer within the hour.",
  schema: {
    type: "object",
    required: ["name", "guests", "day"],
    properties: {
      name: { type: "string", minLength: 2, description: "As on your card" },
      email: { type: "string", format: "email" },
      guests: { type: "integer", minimum: 1, maximum: 8 },
      day: { type: "string", format: "date" },
      time: { type: "string", format: "time" },
      area: { enum: ["inside", "garden", "bar"] },
      diets: { type: "array", items: { enum: ["vegan", "nuts", "gluten"] } },
      children: {
        type: "array",
        items: {
          type: "object",
          properties: { name: { type: "string" }, age: { type: "integer" } },
        },
      },
      address: {
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
      labels: { type: "object", additionalProperties: { type: "string" } },
      pay: {
        oneOf: [
          { title: "Card", type: "object", properties: { card: { type: "string" } } },
          { title: "Cash", type: "object", properties: { change: { type: "boolean" } } },
        ],
      },
      photoDataUrl: { type: "string" },
      notes: { type: "string" },
      newsletter: { type: "boolean" },
    },
  },
});

// Cards: records as tiles.

import { story } from "./story";

export default story(
  {
    component: "Cards",
    title: "Hotels",
    rows: { path: "/props/hotels" },
    key: "id",
    titleField: "name",
    imageField: "photo",
    columns: [
      { field: "rating", label: "Rating", format: "rating" },
      { field: "price", label: "Price", format: "currency", currency: "EUR" },
    ],
    rowActions: [
      {
        action: "reply",
        label: "Reply",
        fixed: { id: "id" },
        inputs: {
          type: "object",
          required: ["text"],
          properties: { text: { type: "string" }, urgent: { type: "boolean" } },
        },
      },
    ],
  },
  {
    hotels: [
      {
        id: "1",
        name: "Casa do Rio",
        rating: 4.6,
        price: 128,
        photo:
          "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 10'%3E%3Crect width='16' height='10' fill='%23789'/%3E%3C/svg%3E",
      },
      { id: "2", name: "Jardim", rating: 4.1, price: 74 },
    ],
  },
);

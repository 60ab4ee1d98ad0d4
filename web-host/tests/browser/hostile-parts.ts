// What views that mean harm are made of.

export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const nested = (depth: number, open: string, close: string, inner = "") =>
  open.repeat(depth) + inner + close.repeat(depth);

export const text = { id: "t", component: "Text", text: "inside" };

export const rows = many(100_000, (index) => ({
  id: `${index}`,
  title: `Row ${index}`,
  state: index % 2 ? "new" : `s${index}`,
  at: "2026-11-21T10:00:00Z",
  n: index,
}));

export const deep = `{"rows":[${nested(20_000, '{"title":"x","inner":[', "]}")}]}`;

export const long = "word ".repeat(1_000_000);

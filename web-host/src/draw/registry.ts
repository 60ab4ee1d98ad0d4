// The components this guest can draw: a shell contains those its view names, and each registers
// itself.

import type { Renderers } from "./context";

export const components: Renderers = {};

export function register(renderers: Renderers): void {
  Object.assign(components, renderers);
}

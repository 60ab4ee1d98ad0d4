// The components this guest can draw: a shell contains those its view names, and each registers itself.

import type { ComponentType } from "preact";
import type { ComponentProps } from "./context";

export const components = new Map<string, ComponentType<ComponentProps>>();

export function register(name: string, component: ComponentType<ComponentProps>): void {
  components.set(name, component);
}

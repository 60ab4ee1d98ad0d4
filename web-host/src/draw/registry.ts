// The components this guest can draw: a shell carries those its view names, and each says its name here.

import type { ComponentType } from "preact";
import type { ComponentProps } from "./context";

export const components = new Map<string, ComponentType<ComponentProps>>();

export function register(name: string, component: ComponentType<ComponentProps>): void {
  components.set(name, component);
}

// What stands where there is nothing to show.

import type { Scope } from "../../draw/context";
import { useWaiting } from "../../draw/hooks";
import { guestStrings as say } from "../../strings";
import "./data-styles";

/** The text for an empty list: data is still awaited, or there is none. */
export function useEmptyText(
  dynamics: readonly unknown[],
  scope: Scope,
  otherwise: string,
): string {
  return useWaiting(dynamics, scope) ? say.awaited : otherwise;
}

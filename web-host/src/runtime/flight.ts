// An action that the server has not accepted yet, as it is kept across a reload.

import { own } from "../draw/pointer";
import type { ActionRequest } from "../wire/frames";

export interface Flight {
  readonly control: string;
  readonly request: ActionRequest;
  timer?: ReturnType<typeof setTimeout>;
  /** A host that seemed to reach the server did not, and was asked again. */
  isRelayedAgain?: boolean;
}

export function isFlight(value: unknown): value is Flight {
  return (
    typeof own(value, "control") === "string" &&
    typeof own(own(value, "request"), "actionId") === "string"
  );
}

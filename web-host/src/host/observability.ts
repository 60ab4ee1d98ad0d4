// What a host is told of a frame: the kinds of this release, and those of later ones.

import type { ObservedEvent } from "../wire/observe";

/** Any kind a host does not know: to be shown as a generic row. */
export interface OtherEvent {
  readonly kind: string & {};
  readonly [field: string]: unknown;
}

export type ObservabilityEvent = ObservedEvent | OtherEvent;

// Results of tools and resources, as far as the guest reads them; a host relays them, so nothing is certain.

import type { Fields } from "./json";

/** The result of `tools/call` as it travels. */
export interface ToolResult extends Fields {
  readonly isError?: unknown;
  readonly structuredContent?: Fields;
  readonly content?: readonly { readonly text?: unknown }[];
  readonly _meta?: Fields & { readonly ui?: { readonly resourceUri?: unknown } };
}

/** The result of a runtime tool. */
export interface ToolAnswer extends Fields {
  readonly ok?: boolean;
  readonly consumerPresent?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** The result of `resources/read`. */
export interface ReadResource extends Fields {
  readonly contents?: readonly { readonly text?: unknown }[];
}

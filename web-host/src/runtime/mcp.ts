// Results of MCP as far as the guest reads them; a host relays them, so nothing is certain.

import type { Fields } from "../wire/json";

/** The result of `tools/call`. */
export interface ToolResult extends Fields {
  readonly isError?: unknown;
  readonly structuredContent?: Fields;
  readonly content?: readonly { readonly text?: unknown }[];
  readonly _meta?: Fields & { readonly ui?: { readonly resourceUri?: unknown } };
}

/** The result of `resources/read`. */
export interface ReadResource extends Fields {
  readonly contents?: readonly { readonly text?: unknown }[];
}

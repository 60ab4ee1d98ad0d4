// JSON as it travels: the value types every other module speaks.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Named values of which nothing is known: what another window says. */
export interface Fields {
  readonly [field: string]: unknown;
}

/** A JSON Schema node, read defensively: nothing in it is trusted to have the right type. */
export type Schema = { readonly [keyword: string]: any };

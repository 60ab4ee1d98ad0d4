// JSON as it travels: the value types every other module speaks.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON Schema node, read defensively: nothing in it is trusted to have the right type. */
export type Schema = { readonly [keyword: string]: any };

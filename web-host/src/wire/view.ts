// The stored view: A2UI components, bindings and actions as the server composes them.

import type { Json, JsonObject } from "./json";

export interface PathBinding {
  readonly path: string;
}
export interface CallBinding {
  readonly call: string;
  readonly args?: { readonly [name: string]: Dynamic };
  readonly returnType?: string;
}
/** A literal, a pointer into the data model, or a function call. */
export type Dynamic = Json | PathBinding | CallBinding;

export interface Check {
  readonly condition: Dynamic;
  readonly message?: string;
}

export interface ActionEvent {
  readonly event?: {
    readonly name: string;
    readonly context?: { readonly [key: string]: Dynamic };
  };
  readonly functionCall?: CallBinding;
}

export interface ComponentDef {
  readonly id: string;
  readonly component: string;
  readonly weight?: number;
  readonly tone?: Dynamic;
  readonly accessibility?: { readonly label?: Dynamic; readonly description?: Dynamic };
  readonly [property: string]: any;
}

export interface StoredView {
  readonly version: string;
  readonly catalogId: string;
  readonly view: { readonly components: readonly ComponentDef[] };
}

export interface RowAction {
  readonly action: string;
  readonly label: string;
  readonly icon?: string;
  readonly confirm?: boolean;
  readonly variant?: string;
  readonly tone?: string;
  /** The member of a record that the action turns on or off. */
  readonly toggles?: string;
  readonly fixed?: { readonly [payloadKey: string]: string };
  readonly inputs?: JsonObject;
  readonly initial?: { readonly [payloadKey: string]: string };
  /** Data that the page gives. */
  readonly given?: { readonly [payloadKey: string]: Dynamic };
  /** Inputs that are chosen among records of the page. */
  readonly choices?: JsonObject;
}

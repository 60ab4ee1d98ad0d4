// Written by scripts/wire.mjs from schemas/catalog.json.

import type { Json, JsonObject } from "./json";

/** The id of a component of the same view. */
export type ComponentId = string;

export type Binding = {
  /** A JSON Pointer into /props, /streams, /complete, /context or /ui; inside a template or a record, a path without a leading slash is relative to the item. */
  readonly path: string;
};

export type Call = {
  readonly call:
    | "and"
    | "email"
    | "formatCurrency"
    | "formatDate"
    | "formatNumber"
    | "formatString"
    | "length"
    | "not"
    | "numeric"
    | "openUrl"
    | "or"
    | "pluralize"
    | "regex"
    | "required";
  readonly args: JsonObject;
  readonly returnType?: "string" | "number" | "boolean" | "array" | "object" | "any" | "void";
};

/** A value as it is, a binding, or a call of a function. */
export type Dynamic =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean)[]
  | Binding
  | Call;

/** Ids in order, or one template for every item of an array. */
export type Children =
  | readonly ComponentId[]
  | {
      readonly componentId: ComponentId;
      readonly path: string;
    };

export type Tone = "neutral" | "info" | "good" | "warn" | "bad";

export type Format =
  | "text"
  | "integer"
  | "number"
  | "percent"
  | "bytes"
  | "currency"
  | "money"
  | "amount"
  | "measure"
  | "range"
  | "ratio"
  | "place"
  | "colour"
  | "markdown"
  | "milliseconds"
  | "record"
  | "records"
  | "reference"
  | "date"
  | "datetime"
  | "time"
  | "duration"
  | "boolean"
  | "badge"
  | "choice"
  | "code"
  | "rating"
  | "tags"
  | "url"
  | "email"
  | "image"
  | "json";

export type Accessibility = {
  readonly label?: Dynamic;
  readonly description?: Dynamic;
};

export type Option = {
  readonly label: Dynamic;
  readonly value: string | number | boolean | null;
};

/** An action of the contract with its data, or a function that runs in the browser. */
export type Action = {
  readonly event?: {
    readonly name: string;
    readonly context?: { readonly [name: string]: Dynamic };
  };
  readonly functionCall?: Call;
};

export type Check = {
  readonly condition: Dynamic;
  readonly message: string;
};

/** A JSON Schema of an object. */
export type ObjectSchema = JsonObject;

/** Records of the page that an id names. */
export type Reference = {
  /** The array; of a tree also the one outermost record; or a map of records by their ids, where `key` is what such an id is called. */
  readonly rows: Binding;
  /** The member of each with the records, where they stand inside others. */
  readonly within?: string;
  /** The member of every record with the records inside it, where they stand as a tree. */
  readonly children?: string;
  /** The member that is the id. */
  readonly key: string;
  /** The member that names a record. */
  readonly titleField: string;
};

/** A member of the record that an id names. */
export type Lookup = {
  /** The id; a relative path reads the record. */
  readonly id: Dynamic;
  /** The records; the member in the place of their name is what is looked up. */
  readonly refers: Reference;
};

/** The form that saves one step. */
export type StepForm = {
  /** The action it sends; the step it is named after is its own. */
  readonly action: string;
  /** On the button. */
  readonly submitLabel: string;
  /** The schema of the action's data. */
  readonly schema: ObjectSchema;
  /** Data that the page gives: payload member to value. */
  readonly given?: { readonly [name: string]: Dynamic };
  /** Inputs that are ids of records of the page, and are chosen by their names. */
  readonly choices?: { readonly [name: string]: Reference };
  /** Whether the person is asked first. */
  readonly confirm?: boolean;
  /** Above the fields. */
  readonly description?: string;
  /** Where the fields start from. */
  readonly initial?: Binding;
  /** A sample, shown as hints in the fields. */
  readonly example?: Json;
  /** How much it stands out. */
  readonly variant?: "primary" | "borderless" | "default";
};

export type RowAction = {
  /** The action it sends. */
  readonly action: string;
  /** On the button. */
  readonly label: string;
  /** The name of an icon. */
  readonly icon?: string;
  /** Whether the person is asked first. */
  readonly confirm?: boolean;
  /** How much it stands out. */
  readonly variant?: "primary" | "borderless" | "default";
  /** `bad` for what ends or loses something. */
  readonly tone?: Tone;
  /** Data taken from the record: payload member to record member. */
  readonly fixed: { readonly [name: string]: string };
  /** What the person still has to give. */
  readonly inputs?: ObjectSchema;
  /** Where inputs start from: payload member to record member. */
  readonly initial?: { readonly [name: string]: string };
  /** Data that the page gives: payload member to value. */
  readonly given?: { readonly [name: string]: Dynamic };
  /** Inputs that are ids of records of the page, and are chosen by their names. */
  readonly choices?: { readonly [name: string]: Reference };
  /** The boolean member of a record that the action turns on or off; a Table and Tasks show the action as that member's box. */
  readonly toggles?: string;
  /** The records that do not offer it: what it does is done to them already. */
  readonly unless?: {
    /** The member of a record. */
    readonly field: string;
    /** The values of it with which a record does not offer the action. */
    readonly values: readonly Json[];
  };
};

/** One value inside a value inside a value. */
export type Innermost = {
  /** The member of the value. */
  readonly field: string;
  /** Its name. */
  readonly label: string;
  /** How values are shown. */
  readonly format?: Format;
  /** Where values stand. */
  readonly align?: "start" | "center" | "end";
  /** The currency code; a relative path reads the value it is in. */
  readonly currency?: Dynamic;
  /** After the number: `km`. */
  readonly unit?: string;
  /** The records whose name stands for this id. */
  readonly refers?: Reference;
};

/** One value inside a value. */
export type Inside = {
  /** The member of the value. */
  readonly field: string;
  /** Its name. */
  readonly label: string;
  /** How values are shown. */
  readonly format?: Format;
  /** Where values stand. */
  readonly align?: "start" | "center" | "end";
  /** The currency code; a relative path reads the value it is in. */
  readonly currency?: Dynamic;
  /** After the number: `km`. */
  readonly unit?: string;
  /** The values inside it. */
  readonly parts?: readonly Innermost[];
  /** The records whose name stands for this id. */
  readonly refers?: Reference;
};

export type Column = {
  /** The member of a record; empty for the record itself. */
  readonly field: string;
  /** Above the column. */
  readonly label: string;
  /** How values are shown. */
  readonly format?: Format;
  /** Where values stand. */
  readonly align?: "start" | "center" | "end";
  /** The currency code, for the formats `currency` (an amount, 12.5) and `money` (the amount in the currency's smallest unit, 1250); a relative path reads the record. */
  readonly currency?: Dynamic;
  /** The record that holds the currency code instead. */
  readonly currencyOf?: Lookup;
  /** After the number: `km`. */
  readonly unit?: string;
  /** The values inside it, for the formats `amount`, `measure`, `range`, `record` and `records`. */
  readonly parts?: readonly Inside[];
  /** The records whose name stands for this id, for the format `reference`. */
  readonly refers?: Reference;
};

/** What every component has besides its name. */
export type CommonProperties = {
  /** Unique in the view; the root's is `root`. */
  readonly id: ComponentId;
  /** Its share of the free space in a Row or Column. */
  readonly weight?: number;
  /** Words for assistive technology. */
  readonly accessibility?: Accessibility;
};

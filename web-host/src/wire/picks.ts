// Written by scripts/wire.mjs from schemas/catalog.json.

import type {
  Binding,
  Column,
  Dynamic,
  Format,
  ObjectSchema,
  Option,
  Reference,
  RowAction,
  Tone,
} from "./view";

/** The components that take what is chosen, answered or said. */
export type PickComponents = {
  /** What people say to each other, the newest last, and a line to answer. */
  readonly Chat: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly more?: Binding;
    readonly authorField: string;
    readonly authorNames?: Reference;
    readonly textField: string;
    readonly textFormat?: "markdown" | "text";
    readonly timeField?: string;
    readonly me?: Binding;
    readonly draft?: Binding;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
    readonly pick?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly to: string;
    };
  };
  /** Options to vote for, with how many chose each. */
  readonly Poll: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly titleField: string;
    readonly titleFormat?: Format;
    readonly countField?: string;
    readonly results?: Binding;
    readonly resultKey?: string;
    readonly resultField?: string;
    readonly value?: Binding;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
    readonly pick?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly field?: string;
      readonly several?: boolean;
      readonly to: string;
      readonly inputs?: ObjectSchema;
      readonly given?: { readonly [name: string]: Dynamic };
      readonly choices?: { readonly [name: string]: Reference };
    };
  };
  /** Seats in their rows, free or taken. */
  readonly Seats: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly seatsField?: string;
    readonly rowField?: string;
    readonly rowNames?: Reference;
    readonly numberField: string;
    readonly statusField?: string;
    readonly holderField?: string;
    readonly value?: Binding;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
    readonly pick?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly field?: string;
      readonly several?: boolean;
      readonly to: string;
      readonly inputs?: ObjectSchema;
      readonly given?: { readonly [name: string]: Dynamic };
      readonly choices?: { readonly [name: string]: Reference };
    };
  };
  /** Questions, one after the other, each with its options. */
  readonly Quiz: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly textField: string;
    readonly optionsField: string;
    readonly optionField?: string;
    readonly optionKey?: string;
    readonly severalField?: string;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
    readonly pick?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly fixed?: { readonly [name: string]: string };
      readonly as?: "text" | "index";
      readonly several?: boolean;
      readonly to: string;
    };
    readonly handIn?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly given?: { readonly [name: string]: Dynamic };
      readonly to: string;
      readonly as: "map" | "list";
      readonly id?: string;
      readonly value?: string;
      readonly values?: string;
      readonly number?: string;
      readonly option?: "text" | "index";
      readonly inputs?: ObjectSchema;
      readonly choices?: { readonly [name: string]: Reference };
    };
  };
  /** A value for each pair of a row and a column: a map of maps, or a list of pairs. */
  readonly Matrix: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly value?: Binding;
    readonly rows?: Binding;
    readonly rowField?: string;
    readonly columnField?: string;
    readonly valueField?: string;
    readonly rowNames?: Reference;
    readonly columnNames?: Reference;
    readonly cellLabel?: string;
    readonly format?: Format;
    readonly unit?: string;
    readonly currency?: Dynamic;
    readonly columns?: readonly Column[];
    readonly options?: readonly Option[];
    readonly rowActions?: readonly RowAction[];
    readonly pick?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly row?: string;
      readonly column?: string;
      readonly to: string;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly multipleOf?: number;
    };
  };
};

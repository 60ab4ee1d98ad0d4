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
  StepForm,
  Tone,
} from "./view";

/** The components that show records, with their own properties. */
export type RecordComponents = {
  /** An array of records, one row each, with sorting, search and buttons in the rows. */
  readonly Table: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly columns: readonly Column[];
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly rowActions?: readonly RowAction[];
    readonly searchable?: boolean;
    readonly search?: Binding;
    readonly sort?: Binding;
    readonly pageSize?: number;
    readonly emptyText?: string;
    readonly titleField?: string;
    readonly bulkActions?: readonly {
      readonly action: string;
      readonly label: string;
      readonly icon?: string;
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly tone?: Tone;
      readonly list: string;
      readonly field: string;
    }[];
  };
  /** An array of records as tiles, with a picture if they have one. */
  readonly Cards: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly titleField: string;
    readonly imageField?: string;
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** An array of records in columns by their state. */
  readonly Board: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly titleField: string;
    readonly groupField: string;
    readonly cardsField?: string;
    readonly groups?: readonly {
      readonly value: string;
      readonly label: string;
    }[];
    readonly groupNames?: Reference;
    readonly groupColumns?: readonly Column[];
    readonly move?: {
      readonly action: string;
      readonly label: string;
      readonly confirm?: boolean;
      readonly fixed: { readonly [name: string]: string };
      readonly to: string;
    };
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** An array of records, each at its moment, below each other. */
  readonly Timeline: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly timeField: string;
    readonly timeFormat?: "date" | "datetime" | "time";
    readonly titleField?: string;
    readonly textField?: string;
    readonly toneField?: string;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** Records that are the sections of one text, below each other. */
  readonly Article: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly numberField?: string;
    readonly titleField?: string;
    readonly textField: string;
    readonly textFormat?: "markdown" | "text";
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** Records that are each one change of a text: before and after, with what is done about it. */
  readonly Changes: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly numberField?: string;
    readonly titleField?: string;
    readonly beforeField: string;
    readonly afterField: string;
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** Records that are ticked off one by one, in their groups. */
  readonly Tasks: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly titleField: string;
    readonly doneField: string;
    readonly openValues?: readonly string[];
    readonly requiredField?: string;
    readonly groupField?: string;
    readonly tick?: string;
    readonly untick?: string;
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** An array of events on the days of a month. */
  readonly Calendar: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly startField: string;
    readonly endField?: string;
    readonly titleField: string;
    readonly key?: string;
    readonly value?: Binding;
    readonly several?: boolean;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** Records inside records. */
  readonly Tree: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows?: Binding;
    readonly root?: Binding;
    readonly parentField?: string;
    readonly key?: string;
    readonly value?: Binding;
    readonly childrenField?: string;
    readonly titleField: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** The steps of something, which are done, and where one is. */
  readonly Stepper: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly labelField?: string;
    readonly statusField?: string;
    readonly timeField?: string;
    readonly current?: Dynamic;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
    readonly first?: 0 | 1;
  };
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
    readonly numberField: string;
    readonly statusField?: string;
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
      readonly option?: "text" | "index";
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
  /** A form in steps: each asks for its fields, goes on once they are right, and the last one shows all that was given before it is sent. */
  readonly Wizard: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows: Binding;
    readonly labelField?: string;
    readonly hintField?: string;
    readonly key?: string;
    readonly current?: Dynamic;
    readonly first?: 0 | 1;
    readonly steps?: readonly StepForm[];
    readonly schema?: ObjectSchema;
    readonly given?: { readonly [name: string]: Dynamic };
    readonly choices?: { readonly [name: string]: Reference };
    readonly submitLabel: Dynamic;
    readonly action: string;
    readonly back?: {
      readonly action: string;
    };
    readonly next?: {
      readonly action: string;
    };
    readonly confirm?: boolean;
    readonly description?: Dynamic;
    readonly initial?: Binding;
    readonly variant?: "primary" | "borderless" | "default";
  };
};

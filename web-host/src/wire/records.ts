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

/** The components that show records. */
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
    readonly titleFormat?: Format;
    readonly titleField?: string;
    readonly textField?: string;
    readonly toneField?: string;
    readonly key?: string;
    readonly columns?: readonly Column[];
    readonly rowActions?: readonly RowAction[];
    readonly emptyText?: string;
  };
  /** One text: records that are its sections, below each other, or one record that is the whole of it, its values above it. */
  readonly Article: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows?: Binding;
    readonly record?: Binding;
    readonly changes?: Binding;
    readonly changesKey?: string;
    readonly changesIn?: string;
    readonly changesAdd?: boolean;
    readonly numberField?: string;
    readonly titleField?: string;
    readonly leadField?: string;
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
    readonly titleFormat?: Format;
    readonly shown?: Binding;
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
    readonly titleFormat?: Format;
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
  /** A form in steps: each asks for its fields, goes on once they are right, and the last one shows all that was given before it is sent. */
  readonly Wizard: {
    readonly tone?: Tone;
    readonly title?: Dynamic;
    readonly rows?: Binding;
    readonly options?: readonly Option[];
    readonly labelField?: string;
    readonly hintField?: string;
    readonly inputsField?: string;
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
    readonly keep?: {
      readonly action: string;
      readonly label: string;
      readonly to: string;
      readonly given?: { readonly [name: string]: Dynamic };
    };
    readonly confirm?: boolean;
    readonly description?: Dynamic;
    readonly initial?: Binding;
    readonly variant?: "primary" | "borderless" | "default";
  };
};

// Written by scripts/wire.mjs from schemas/catalog.json.

import type { PickComponents } from "./picks";
import type { RecordComponents } from "./records";
import type {
  Action,
  Binding,
  Check,
  Children,
  CommonProperties,
  ComponentId,
  Dynamic,
  Format,
  Inside,
  Lookup,
  ObjectSchema,
  Option,
  Reference,
  Tone,
} from "./view";

/** Every component, with its own properties. */
export type Catalog = RecordComponents &
  PickComponents & {
    /** A text. Understands Markdown: bold, italic, code, links, headings, lists, tasks, tables, quotes and rules. */
    readonly Text: {
      readonly tone?: Tone;
      readonly text: Dynamic;
      readonly variant?: "h1" | "h2" | "h3" | "h4" | "h5" | "caption" | "body" | "plain";
    };
    /** Children side by side; they wrap where space is short. */
    readonly Row: {
      readonly tone?: Tone;
      readonly children: Children;
      readonly justify?:
        | "start"
        | "center"
        | "end"
        | "spaceBetween"
        | "spaceAround"
        | "spaceEvenly"
        | "stretch";
      readonly align?: "start" | "center" | "end" | "stretch";
    };
    /** Buttons side by side that take nothing until the page has been in sight for a moment: for what no stray click may answer. */
    readonly Answers: {
      readonly tone?: Tone;
      readonly children: Children;
      readonly justify?:
        | "start"
        | "center"
        | "end"
        | "spaceBetween"
        | "spaceAround"
        | "spaceEvenly"
        | "stretch";
      readonly align?: "start" | "center" | "end" | "stretch";
    };
    /** Children below each other. */
    readonly Column: {
      readonly tone?: Tone;
      readonly children: Children;
      readonly justify?:
        | "start"
        | "center"
        | "end"
        | "spaceBetween"
        | "spaceAround"
        | "spaceEvenly"
        | "stretch";
      readonly align?: "start" | "center" | "end" | "stretch";
    };
    /** Children below each other, or one template repeated for each item of an array; bindings in the template are relative to the item. */
    readonly List: {
      readonly tone?: Tone;
      readonly children: Children;
      readonly direction?: "vertical" | "horizontal";
      readonly align?: "start" | "center" | "end" | "stretch";
    };
    /** A framed group. */
    readonly Card: {
      readonly tone?: Tone;
      readonly child: ComponentId;
    };
    /** A thin line. */
    readonly Divider: {
      readonly tone?: Tone;
      readonly axis?: "horizontal" | "vertical";
    };
    /** A button around a component, usually a Text. ActionButton is simpler. */
    readonly Button: {
      readonly tone?: Tone;
      readonly child: ComponentId;
      readonly variant?: "primary" | "borderless" | "default";
      readonly action: Action;
      readonly checks?: readonly Check[];
    };
    /** A line or a paragraph of text to type. */
    readonly TextField: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value?: Dynamic;
      readonly variant?: "shortText" | "longText" | "number" | "obscured";
      readonly checks?: readonly Check[];
    };
    /** A box to tick. */
    readonly CheckBox: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
      readonly checks?: readonly Check[];
    };
    /** A few options, all visible; one or several can be chosen. */
    readonly ChoicePicker: {
      readonly tone?: Tone;
      readonly label?: Dynamic;
      readonly options: readonly Option[];
      readonly value: Dynamic;
      readonly variant?: "multipleSelection" | "mutuallyExclusive";
      readonly checks?: readonly Check[];
    };
    /** A date, a time, or both. */
    readonly DateTimeInput: {
      readonly tone?: Tone;
      readonly label?: Dynamic;
      readonly value: Dynamic;
      readonly enableDate?: boolean;
      readonly enableTime?: boolean;
      readonly checks?: readonly Check[];
    };
    /** A number on a scale. */
    readonly Slider: {
      readonly tone?: Tone;
      readonly label?: Dynamic;
      readonly min?: number;
      readonly max: number;
      readonly value: Dynamic;
      readonly checks?: readonly Check[];
    };
    /** A picture. */
    readonly Image: {
      readonly tone?: Tone;
      readonly url: Dynamic;
      readonly fit?: "contain" | "cover" | "fill" | "none" | "scaleDown";
      readonly variant?:
        | "icon"
        | "avatar"
        | "smallFeature"
        | "mediumFeature"
        | "largeFeature"
        | "header";
    };
    /** Several pages of which one is shown. */
    readonly Tabs: {
      readonly tone?: Tone;
      readonly tabs: readonly {
        readonly title: Dynamic;
        readonly child: ComponentId;
      }[];
    };
    /** A dialog that a component opens. */
    readonly Modal: {
      readonly tone?: Tone;
      readonly trigger: ComponentId;
      readonly content: ComponentId;
    };
    /** A small symbol. */
    readonly Icon: {
      readonly tone?: Tone;
      readonly name: Dynamic;
    };
    /** A title, with an optional line of explanation. */
    readonly Heading: {
      readonly tone?: Tone;
      readonly text: Dynamic;
      readonly level?: number;
      readonly caption?: Dynamic;
    };
    /** A short word in a coloured pill. */
    readonly Badge: {
      readonly tone?: Tone | Dynamic;
      readonly text: Dynamic;
    };
    /** A banner; hidden while its text is empty or null. */
    readonly Notice: {
      readonly tone?: Tone | Dynamic;
      readonly text: Dynamic;
    };
    /** One number with its name, and a sparkline if it has a history. */
    readonly Metric: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
      readonly unit?: string;
      readonly format?: Format;
      readonly history?: Binding;
      readonly historyField?: string;
    };
    /** Names and values below each other. A missing value shows as a dash. */
    readonly KeyValue: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly items: readonly {
        readonly label: string;
        readonly value: Dynamic;
        readonly format?: Format;
        readonly currency?: Dynamic;
        readonly currencyOf?: Lookup;
        readonly unit?: string;
        readonly parts?: readonly Inside[];
        readonly refers?: Reference;
      }[];
    };
    /** Numbers as a picture, with a table for those who cannot see it. Of more than 2,000 rows lines and areas are painted point by point, up to 10,000 of them, and a person drags over them to look closer. More than 50 bars along times or numbers become an area; of others the first 50 are shown and the rest is counted. */
    readonly Chart: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly kind: "line" | "bar" | "area" | "sparkline" | "pie";
      readonly data: Binding;
      readonly more?: Binding;
      readonly x?: string;
      readonly xNames?: Reference;
      readonly seriesField?: string;
      readonly seriesNames?: Reference;
      readonly series: readonly {
        readonly field: string;
        readonly label: string;
      }[];
      readonly unit?: string;
      readonly format?: Format;
      readonly currency?: Dynamic;
      readonly min?: number;
      readonly max?: number;
    };
    /** Lines that keep arriving; follows the newest. */
    readonly Log: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly lines: Binding;
      readonly textField?: string;
      readonly levelField?: string;
      readonly timeField?: string;
    };
    /** How far something is. */
    readonly Progress: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
      readonly max?: number;
      readonly complete?: Dynamic;
    };
    /** Fields made from a JSON Schema and a button that sends them as one action. */
    readonly Form: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly schema: ObjectSchema;
      readonly given?: { readonly [name: string]: Dynamic };
      readonly choices?: { readonly [name: string]: Reference };
      readonly submitLabel: Dynamic;
      readonly action: string;
      readonly confirm?: boolean;
      readonly description?: Dynamic;
      readonly initial?: Binding;
      readonly display?: "page" | "line" | "dialog";
      readonly variant?: "primary" | "borderless" | "default";
      readonly icon?: string;
    };
    /** Fields made from a JSON Schema, bound to a context slot; nothing is sent. */
    readonly FieldSet: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly schema: ObjectSchema;
      readonly value: Binding;
    };
    /** The strings of an array, each with a box; the ticked ones are the value. */
    readonly Checklist: {
      readonly tone?: Tone;
      readonly label?: Dynamic;
      readonly options: Binding;
      readonly value: Binding;
    };
    /** On or off. */
    readonly Switch: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
    };
    /** A number to type. */
    readonly NumberField: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
      readonly min?: number;
      readonly max?: number;
      readonly integer?: boolean;
    };
    /** One of many options. */
    readonly Select: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly options: readonly Option[];
      readonly value: Dynamic;
    };
    /** Text in a fixed-width font; other values as JSON. */
    readonly Code: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly value: Dynamic;
      readonly language?: string;
    };
    /** Says that there is nothing yet. */
    readonly EmptyState: {
      readonly tone?: Tone;
      readonly title: Dynamic;
      readonly text?: Dynamic;
    };
    /** A button that sends an action and shows when the agent has taken it. */
    readonly ActionButton: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly action: string;
      readonly data?: { readonly [name: string]: Dynamic };
      readonly confirm?: boolean;
      readonly variant?: "primary" | "borderless" | "default";
      readonly icon?: string;
      readonly description?: Dynamic;
    };
    /** Anything at all, as names and values; what is inside is shown inside. */
    readonly Values: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly value: Dynamic;
    };
    /** An array of short texts. */
    readonly Items: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly items: Binding;
      readonly kind?: "bullets" | "numbers" | "tags" | "colours" | "images";
      readonly pick?: {
        readonly action: string;
        readonly label: string;
        readonly confirm?: boolean;
        readonly to: string;
      };
      readonly emptyText?: string;
    };
    /** What changed between two texts, or a unified patch. */
    readonly Diff: {
      readonly tone?: Tone;
      readonly title?: Dynamic;
      readonly patch?: Dynamic;
      readonly before?: Dynamic;
      readonly after?: Dynamic;
    };
    /** Stars to give. */
    readonly Rating: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
      readonly max?: number;
    };
    /** A text to look for. */
    readonly Search: {
      readonly tone?: Tone;
      readonly label: Dynamic;
      readonly value: Dynamic;
    };
    /** A short message that goes away by itself; shown again when its text changes. */
    readonly Toast: {
      readonly tone?: Tone;
      readonly text: Dynamic;
    };
  };

export type ComponentName = keyof Catalog;

/** A component as a view defines it; without a name, any of the catalog. It is drawn with what it has. */
export type ComponentDef<Name extends ComponentName = ComponentName> = {
  [Each in Name]: CommonProperties & { readonly component: Each } & Partial<Catalog[Each]>;
}[Name];

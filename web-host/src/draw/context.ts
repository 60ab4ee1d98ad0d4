// What every component can use while it draws: the view, the data, the actions, the reader's
// language.

import type { ReadonlySignal } from "@preact/signals";
import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import type { ComponentDef, ComponentName } from "../wire/catalog";
import type { Json } from "../wire/json";
import type { Violation } from "../wire/observe";
import type { DataModel } from "./model";
import type { Path } from "./pointer";
import type { DrawableView } from "./view";

export interface Scope {
  /** Where relative pointers start. */
  readonly path: Path;
  /**
   * The same by the ids of items, where they have some: an item stays itself wherever it stands.
   */
  readonly place?: string;
  /** How many nodes may still be drawn below here. */
  readonly budget: number;
}

export interface ComponentProps<Name extends ComponentName> {
  readonly def: ComponentDef<Name>;
  readonly scope: Scope;
}

/** What draws the components of one name. */
export type Renderer<Name extends ComponentName> = (
  props: ComponentProps<Name>,
) => JSX.Element | null;

export type Renderers = { readonly [Name in ComponentName]?: Renderer<Name> };

type Phase = "idle" | "pending" | "sent" | "received" | "answered" | "failed";

/**
 * Whether the server accepted the action, reported by the socket or the host, whichever is first.
 */
export function isTaken(phase: Phase): boolean {
  return phase === "sent" || phase === "received" || phase === "answered";
}

export interface ActionState {
  readonly phase: Phase;
  readonly message?: string;
  readonly violations?: readonly Violation[];
  readonly question?: Question;
  /** It may be done once, and has been. */
  readonly done?: boolean;
}

/** The confirmation that a person is asked for before an action is sent. */
export interface Question {
  readonly action: string;
  /** The contract's label of the action, and the record it is applied to. */
  readonly label: string;
  readonly tone?: string;
  answer(confirmed: boolean): void;
}

export interface Firing {
  /** The view wants a confirmation; where the contract demands one, the view cannot skip it. */
  readonly confirm?: boolean;
  /** The record it is applied to, for the confirmation. */
  readonly subject?: string;
  readonly tone?: string;
  /** Called once it is being sent, which is at once without a confirmation. */
  readonly sent?: () => void;
}

/** The life of an action: one state per control. */
export interface ActionPort {
  state(control: string): ReadonlySignal<ActionState>;
  question(control: string): ReadonlySignal<Question | undefined>;
  fire(control: string, name: string, data: Json, firing?: Firing): void;
}

/**
 * What a person typed, opened and chose, by place; it survives the page where the host stores it.
 */
export interface Kept {
  get(place: string): Json | undefined;
  set(place: string, value: Json | undefined): unknown;
}

export interface DrawContext {
  readonly view: DrawableView;
  readonly catalog: Renderers;
  readonly model: DataModel;
  readonly actions: ActionPort;
  readonly kept: Kept;
  readonly locale: string;
  /** The address of the guest's code; scripts a view may need later are beside it. */
  readonly runtimeUrl: string | undefined;
  openUrl(url: string): void;
  failed(componentId: string, problem: unknown): void;
}

export const Drawing = createContext<DrawContext | null>(null);

export function useDraw(): DrawContext {
  const draw = useContext(Drawing);
  if (!draw) throw new Error("a component was drawn outside a view");
  return draw;
}

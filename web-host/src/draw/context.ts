// What every component may reach while it draws: the view, the data, the actions, the reader's language.

import type { ReadonlySignal } from "@preact/signals";
import { type ComponentType, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Json } from "../wire/json";
import type { Violation } from "../wire/observe";
import type { ComponentDef } from "../wire/view";
import type { DataModel } from "./model";
import type { Path } from "./pointer";
import type { DrawableView } from "./view";

export interface Scope {
  /** Where relative pointers start. */
  readonly path: Path;
  /** The same by the ids of items, where they have some: an item stays itself wherever it stands. */
  readonly place?: string;
  /** How many nodes may still be drawn below here. */
  readonly budget: number;
}

export interface ComponentProps {
  readonly def: ComponentDef;
  readonly scope: Scope;
}

export type Phase = "idle" | "pending" | "sent" | "received" | "answered" | "failed";

/** Whether the server took the action, whichever word of it came first. */
export function isTaken(phase: Phase): boolean {
  return phase === "sent" || phase === "received" || phase === "answered";
}

export interface ActionState {
  readonly phase: Phase;
  readonly message?: string;
  readonly violations?: readonly Violation[];
  readonly question?: Question;
}

/** What a person is asked before an action is sent. */
export interface Question {
  readonly action: string;
  /** What the contract calls the action, and what it is done to. */
  readonly label: string;
  readonly tone?: string;
  answer(confirmed: boolean): void;
}

export interface Firing {
  /** The view wants the person to be asked; where the contract does, nobody else decides. */
  readonly confirm?: boolean;
  /** What the action is done to, for the question. */
  readonly subject?: string;
  readonly tone?: string;
  /** Called once it is on its way, which is at once where nothing is asked. */
  readonly sent?: () => void;
}

/** The life of what a person fires: one state per control. */
export interface ActionPort {
  state(control: string): ReadonlySignal<ActionState>;
  question(control: string): ReadonlySignal<Question | undefined>;
  fire(control: string, name: string, data: Json, firing?: Firing): void;
}

/** What a person typed, opened and chose, by the place it belongs to: it outlives the page where the host keeps it. */
export interface Kept {
  get(place: string): Json | undefined;
  set(place: string, value: Json | undefined): unknown;
}

export interface DrawContext {
  readonly view: DrawableView;
  readonly catalog: ReadonlyMap<string, ComponentType<ComponentProps>>;
  readonly model: DataModel;
  readonly actions: ActionPort;
  readonly kept: Kept;
  readonly locale: string;
  /** Where the guest's code is served, and beside it what a view may need later. */
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

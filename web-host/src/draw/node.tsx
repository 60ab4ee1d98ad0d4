// Draws one component by id, and keeps a component that throws from taking the rest down.

import { Component, type ComponentChildren, type JSX } from "preact";
import { useMemo } from "preact/hooks";
import { guestStrings } from "../strings";
import type { ComponentDef, ComponentName } from "../wire/catalog";
import type { Children } from "../wire/view";
import { isPath } from "./bind";
import {
  type DrawContext,
  Drawing,
  type Renderer,
  type Renderers,
  type Scope,
  useDraw,
} from "./context";
import { useText, useValue, useWaiting } from "./hooks";
import { arrayOf, own, resolvePointer } from "./pointer";
import { text } from "./text";
import { toneOf } from "./tone";

interface BoundaryProps {
  readonly componentId: string;
  readonly failed: DrawContext["failed"];
  readonly children?: ComponentChildren;
}

class Boundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(problem: unknown): void {
    this.setState({ broken: true });
    this.props.failed(this.props.componentId, problem);
  }

  override render() {
    return this.state.broken ? (
      <p class="g-placeholder">{guestStrings.partFailed}</p>
    ) : (
      this.props.children
    );
  }
}

export function Node({ id, scope }: { id: string; scope: Scope }) {
  const draw = useDraw();
  const def = draw.view.components.get(id);
  const drawn = def && drawnBy(draw.catalog, def, scope);
  if (!drawn) return <p class="g-placeholder">{guestStrings.partUnknown}</p>;
  return (
    <Boundary componentId={id} failed={draw.failed}>
      {drawn}
    </Boundary>
  );
}

/**
 * A component drawn by what its name stands for; from here on its properties have their own types.
 */
function drawnBy<Name extends ComponentName>(
  catalog: Renderers,
  def: ComponentDef<Name>,
  scope: Scope,
): JSX.Element | undefined {
  // Any name may stand in a view, also one that every object has.
  const Drawn: Renderer<Name> | undefined = Object.hasOwn(catalog, def.component)
    ? catalog[def.component]
    : undefined;
  return Drawn && <Drawn def={def} scope={scope} />;
}

export function Root({ draw, budget }: { draw: DrawContext; budget: number }) {
  const scope = useMemo(() => ({ path: [], budget }), [budget]);
  return (
    <Drawing.Provider value={draw}>
      <div class="g-view" dir={directionOf(draw)}>
        <Node id="root" scope={scope} />
      </div>
    </Drawing.Provider>
  );
}

/** Checked first, because matching all scripts is expensive. */
const NOT_ASCII = /[^\0-\x7f]/;
const RIGHT_TO_LEFT =
  /^[^\p{L}]*[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;

/**
 * A view whose heading is written from right to left is laid out that way, whatever the host's
 * language.
 */
function directionOf({ view }: DrawContext): "rtl" | undefined {
  for (const def of view.components.values())
    if (def.component === "Heading")
      return typeof def.text === "string" &&
        NOT_ASCII.test(def.text) &&
        RIGHT_TO_LEFT.test(def.text)
        ? "rtl"
        : undefined;
  return undefined;
}

interface RootAttributes {
  readonly class: string;
  readonly "data-component": string;
  readonly "data-tone"?: string;
  readonly "aria-label"?: string;
  readonly "aria-description"?: string;
  readonly "aria-busy"?: true;
  readonly "data-waiting"?: true;
  readonly "data-weight"?: true;
  readonly style?: Record<string, string | number>;
}

/** The properties that give components their data. */
const DATA = [
  ...["rows", "root", "data", "lines", "items", "options"],
  ...["value", "patch", "before", "after", "text", "url"],
];

/** The attributes every component puts on its root element. */
export function useRoot(def: ComponentDef, scope: Scope, className: string): RootAttributes {
  const label = useText(def.accessibility?.label, scope);
  const description = useText(def.accessibility?.description, scope);
  const tone = toneOf(useText(def.tone, scope));
  const waits = useWaiting(
    DATA.map((property) => own(def, property)),
    scope,
  );
  const grows = typeof def.weight === "number" && def.weight > 0;
  return {
    class: `g-${className}`,
    "data-component": def.component,
    ...(tone ? { "data-tone": tone } : {}),
    ...(label ? { "aria-label": label } : {}),
    ...(description ? { "aria-description": description } : {}),
    ...(waits ? { "aria-busy": true as const, "data-waiting": true as const } : {}),
    ...(grows ? { "data-weight": true as const, style: { "--weight": def.weight! } } : {}),
  };
}

/**
 * Fixed children, or one child per item of a bound list; each item shares the budget that is left.
 */
export function ChildNodes({
  of,
  scope,
  wrap,
}: {
  of: Children | undefined;
  scope: Scope;
  wrap?: (child: JSX.Element, key: string | number) => JSX.Element;
}) {
  const { view } = useDraw();
  const template = of && "componentId" in of ? of : undefined;
  const binding = useMemo(() => (template ? { path: template.path } : undefined), [template?.path]);
  const value = useValue(binding, scope);
  const waits = useWaiting([binding], scope);
  const items = Array.isArray(value) ? value : [];
  const size = template ? (view.sizes.get(template.componentId) ?? 1) : 1;
  const shown = Math.min(items.length, Math.max(1, Math.floor(scope.budget / size)));
  const keys = itemKeys(items.slice(0, shown));
  const scopes = useMemo(() => {
    const base = binding && isPath(binding) ? resolvePointer(binding.path, scope.path) : [];
    return Array.from({ length: shown }, (_, index) => ({
      path: [...base, String(index)],
      place: `${scope.place ?? ""}${template?.path}/${keys[index]}`,
      budget: Math.floor(scope.budget / Math.max(shown, 1)),
    }));
  }, [binding, scope, shown, keys.join()]);
  const place = wrap ?? ((child: JSX.Element) => child);
  if (!template)
    return (
      <>
        {arrayOf(of).map((id, index) =>
          place(<Node key={`${id}${index}`} id={String(id)} scope={scope} />, index),
        )}
      </>
    );
  if (shown === 0 && waits) return place(<p class="g-muted">{guestStrings.awaited}</p>, "waits");
  return (
    <>
      {scopes.map((item, index) =>
        place(<Node key={keys[index]} id={template.componentId} scope={item} />, keys[index]!),
      )}
      {shown < items.length &&
        place(
          <p class="g-muted" key="more">
            {guestStrings.andMore(items.length - shown)}
          </p>,
          "more",
        )}
    </>
  );
}

/** Stable keys from the items' own ids where they are unique, else their places. */
function itemKeys(items: readonly unknown[]): (string | number)[] {
  const ids = items.map((item) => text(own(item, "id") ?? own(item, "key")));
  const unique = ids.every(Boolean) && new Set(ids).size === ids.length;
  return unique ? ids : items.map((_, index) => index);
}

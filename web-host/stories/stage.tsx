// Draws one state of a story, with actions that go nowhere.

import { signal } from "@preact/signals";
import { catalog } from "../src/catalog/index";
import type { ActionState, DrawContext } from "../src/draw/context";
import { DataModel } from "../src/draw/model";
import { Root } from "../src/draw/node";
import { MAX_NODES, readView } from "../src/draw/view";
import { type State, type Story, statesOf } from "./story";

const modules = import.meta.glob<{ default: Story }>(["./*.ts", "!./story.ts"], { eager: true });

/** Every story, by the name of its component. */
export const stories: ReadonlyMap<string, Story> = new Map(
  Object.values(modules)
    .map(({ default: story }) => [story.root.component, story] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1)),
);

/** Every state of a story, or the named ones, below each other; what goes wrong is added to `failures`. */
export function StoryPage({
  name,
  only,
  failures,
}: {
  name: string;
  only?: readonly string[];
  failures: unknown[];
}) {
  const states = Object.entries(statesOf(stories.get(name)!)).filter(
    ([state]) => only?.includes(state) ?? true,
  );
  return (
    <>
      {states.map(([state, drawn]) => (
        <section key={`${name} ${state}`} data-state={state} dir={drawn.dir}>
          <Drawn state={drawn} failures={failures} />
        </section>
      ))}
    </>
  );
}

const unasked = signal(undefined);

function Drawn({
  state: { components, props, dir, failed },
  failures,
}: {
  state: State;
  failures: unknown[];
}) {
  const result = readView({
    version: "v0.9",
    catalogId: "urn:proscenium:catalog:v1",
    view: { components },
  });
  if (!result.ok) {
    failures.push(result.problem);
    return null;
  }
  const model = new DataModel();
  model.setProps(props);
  const state = signal<ActionState>(
    failed
      ? {
          phase: "failed",
          message: "This was not accepted.",
          violations: [{ field: "book.data.name", message: "is taken" }],
        }
      : { phase: "idle" },
  );
  const context: DrawContext = {
    view: result.view,
    catalog,
    model,
    locale: dir === "rtl" ? "ar" : "en",
    runtimeUrl: undefined,
    kept: new Map(),
    actions: { state: () => state, question: () => unasked, fire: () => undefined },
    openUrl: () => undefined,
    failed: (_, problem) => void failures.push(problem),
  };
  return <Root draw={context} budget={MAX_NODES} />;
}

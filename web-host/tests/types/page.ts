// A page of somebody else in TypeScript, with the types as they are served: it has to compile.

import type {
  AuthRequiredEvent,
  ObservabilityEvent,
  ProsceniumStage,
} from "../../dist/proscenium-stage";

export function watch(stage: ProsceniumStage, rows: string[]): void {
  stage.relay = { callTool: async () => ({}), readResource: async () => ({}) };
  stage.addEventListener("stage-observe", ({ detail }) => rows.push(wordOf(detail)));
  stage.addEventListener("stage-state", ({ detail }) =>
    rows.push(detail.state, detail.reason ?? ""),
  );
  stage.addEventListener("stage-link", (event) => {
    rows.push(event.detail.url);
    event.preventDefault();
  });
  document
    .querySelector("proscenium-stage")
    ?.addEventListener("stage-rings", ({ detail }) => rows.push(String(detail)));
}

function wordOf(event: ObservabilityEvent): string {
  if (event.kind === "auth-required") return (event as AuthRequiredEvent).authUrl;
  return event.kind;
}

// The stage before the first session: what this is and how an agent comes here.

import { CopyButton } from "../catalog/kit/copy";
import { stageStrings as say } from "../strings";
import { mcpUrl } from "./config";

const EXAMPLE = "cargo run --release --example system_monitor";

export function EmptyStage() {
  const url = mcpUrl();
  const json = JSON.stringify({ mcpServers: { proscenium: { type: "http", url } } }, null, 2);
  return (
    <div class="s-empty">
      <h1>{say.emptyTitle}</h1>
      <p>{say.emptyText}</p>
      <Snippet title={say.connectClaude} text={`claude mcp add --transport http proscenium ${url}`} />
      <Snippet title={say.connectOther} text={json} />
      <Snippet title={say.tryExample} text={EXAMPLE} />
    </div>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <section class="s-snippet">
      <header><h2>{title}</h2><CopyButton value={() => text} /></header>
      <pre tabIndex={0}><code>{text}</code></pre>
    </section>
  );
}

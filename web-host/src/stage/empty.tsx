// The stage before the first session: what this is, and three ways an agent comes here.

import { CopyButton } from "../catalog/kit/copy";
import { stageStrings as say } from "../strings";
import { mcpUrl } from "./config";

const EXAMPLE = "cargo run --release --example system_monitor";

export function EmptyStage() {
  const url = mcpUrl();
  const commands = [`claude mcp add --transport http proscenium ${url}`, url, EXAMPLE];
  return (
    <div class="s-empty">
      <h1>{say.emptyTitle}</h1>
      <p>{say.emptyText}</p>
      <ol>{say.steps.map((step, index) => <Step key={step.title} {...step} command={commands[index]!} />)}</ol>
      <p class="s-waiting"><i />{say.waitingForAgent}</p>
    </div>
  );
}

function Step({ title, text, command }: { title: string; text: string; command: string }) {
  return (
    <li class="s-step">
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="s-command"><pre><code>{command}</code></pre><CopyButton value={() => command} /></div>
    </li>
  );
}

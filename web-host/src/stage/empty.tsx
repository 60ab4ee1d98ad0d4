// The stage before the first session: what this is, a demo to try, and how an agent comes here.

import { useState } from "preact/hooks";
import { CopyButton } from "../catalog/kit/copy";
import { stageStrings as say } from "../strings";
import { clientsOf } from "./clients";
import { config } from "./config";

export function EmptyStage() {
  return (
    <div class="s-empty">
      <h1>{say.emptyTitle}</h1>
      <p>{say.emptyText}</p>
      {config.mode === "all" && config.demoUrl && <DemoOffer url={config.demoUrl} />}
      <Connect />
      <p class="s-waiting">
        <i />
        {say.waitingForAgent}
      </p>
    </div>
  );
}

/** The sessions of the demo take this page's place, so nothing here says that it plays. */
function DemoOffer({ url }: { url: string }) {
  const [state, setState] = useState<"offered" | "asked" | "failed">("offered");
  const play = async () => {
    if (state === "asked") return;
    setState("asked");
    const taken = await fetch(url, { method: "POST" }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (!taken) setState("failed");
  };
  return (
    <section class="s-offer">
      <h2>{say.demoTitle}</h2>
      <p>{say.demoText}</p>
      <button
        type="button"
        class="g-button"
        data-variant="primary"
        aria-disabled={state === "asked"}
        onClick={play}
      >
        {state === "asked" ? say.demoStarting : say.demoPlay}
      </button>
      {state === "failed" && (
        <p role="alert" class="s-offer-failed">
          {say.demoFailed}
        </p>
      )}
    </section>
  );
}

function Connect() {
  const clients = clientsOf(config.mcpUrl);
  const [name, setName] = useState(clients[0]!.name);
  const chosen = clients.find((client) => client.name === name) ?? clients[0]!;
  return (
    <section class="s-connect">
      <h2>{say.connectTitle}</h2>
      <div class="s-clients" role="group" aria-label={say.connectTitle}>
        {clients.map((client) => (
          <button
            key={client.name}
            type="button"
            aria-pressed={client === chosen}
            onClick={() => setName(client.name)}
          >
            {client.name}
          </button>
        ))}
      </div>
      <p>{chosen.how}</p>
      <div class="s-command">
        <pre>
          <code>{chosen.lines}</code>
        </pre>
        <CopyButton value={() => chosen.lines} />
      </div>
    </section>
  );
}

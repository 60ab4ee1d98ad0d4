// Calls that an agent makes after a click: the stage, and not the page in a frame, asks about the
// very call, so that a yes to it can stand for an approval.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Dialog } from "../catalog/kit/dialog";
import { useUnseen } from "../catalog/kit/unseen";
import { stageStrings as say } from "../strings";
import type { CallQuestion, ConfirmResult } from "../wire/stage";
import { send } from "./library/ask";

interface Open {
  readonly question: CallQuestion;
  readonly answer: (yes: boolean) => void;
}

const open = signal<Open | null>(null);
let isAsking = false;

/**
 * Whether a person agrees to the call that follows an action, which the server names; undefined
 * where there is nothing to agree to. Only right after user input, and one question at a time.
 */
export async function askAboutCall(
  sessionId: string,
  action: string,
  data: unknown,
): Promise<boolean | undefined> {
  if (isAsking) return false;
  if (navigator.userActivation?.isActive === false) return undefined;
  isAsking = true;
  const path = `/stage/sessions/${encodeURIComponent(sessionId)}/confirmations`;
  const ask = async (agreed?: string) =>
    (await send(path, "POST", { action, data, agreed })) as ConfirmResult;
  try {
    let result = await ask();
    // Where the rules have changed meanwhile, it is another question.
    while (result.question) {
      const { question } = result;
      const yes = await new Promise<boolean>((answer) => (open.value = { question, answer }));
      open.value = null;
      if (!yes) return false;
      result = await ask(question.id);
    }
    return result.isApproved || undefined;
  } catch {
    return undefined;
  } finally {
    isAsking = false;
  }
}

export function CallDialog() {
  const asked = open.value;
  return asked && <Asking key={asked.question.id} {...asked} />;
}

function Asking({ question, answer }: Open) {
  const { tool, server, requester, why, arguments: given } = question;
  const yes = useRef<HTMLButtonElement>(null);
  const waits = useUnseen(yes);
  return (
    <Dialog title={say.callTitle(tool)} onClose={() => answer(false)}>
      {why && <p>{why}</p>}
      <dl class="s-call">
        {[
          { name: say.callBy, value: requester },
          { name: say.callServer, value: server },
          ...given,
        ].map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="g-muted">{say.callOnce}</p>
      <div class="g-dialog-buttons">
        <button type="button" class="g-button" onClick={() => answer(false)}>
          {say.cancel}
        </button>
        <button
          ref={yes}
          type="button"
          class="g-button"
          data-variant="primary"
          data-approve
          aria-disabled={waits.value}
          onClick={() => waits.peek() || answer(true)}
        >
          {say.callYes}
        </button>
      </div>
    </Dialog>
  );
}

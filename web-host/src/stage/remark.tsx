// A person says how a page is drawn; a model that reads it draws the page anew.

import { useRef, useState } from "preact/hooks";
import { Dialog } from "../catalog/kit/dialog";
import { stageStrings as say } from "../strings";
import { send } from "./library/ask";
import { remarked } from "./state";

type State = "writing" | "sending" | "failed" | "kept" | "drawn";

/** As the server has it. */
const TEXT_MAX = 500;

export function RemarkDialog() {
  const session = remarked.value;
  return session ? <Remark key={session} session={session} /> : null;
}

function Remark({ session }: { session: string }) {
  const [rating, setRating] = useState<"good" | "bad">("bad");
  const [text, setText] = useState("");
  const [state, setState] = useState<State>("writing");
  const holds = useRef(false);
  const isSent = state === "kept" || state === "drawn";
  holds.current = text !== "" && !isSent;
  const close = () => {
    remarked.value = null;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (state === "sending") return;
    setState("sending");
    const words = text.trim();
    const path = `/api/v1/sessions/${encodeURIComponent(session)}/remarks`;
    try {
      const said = words ? { rating, text: words } : { rating };
      const answer = (await send(path, "POST", said)) as { readonly isDrawnAnew: boolean };
      setState(answer.isDrawnAnew ? "drawn" : "kept");
    } catch {
      setState("failed");
    }
  };
  const choice = (value: "good" | "bad", label: string) => (
    <label>
      <input
        type="radio"
        name="rating"
        checked={rating === value}
        onChange={() => setRating(value)}
      />
      {label}
    </label>
  );
  return (
    <Dialog title={say.remarkTitle} onClose={close} holds={holds}>
      <form class="s-remark" onSubmit={submit}>
        {isSent ? (
          <p role="status">{state === "drawn" ? say.remarkDrawn : say.remarkKept}</p>
        ) : (
          <>
            <fieldset>
              <legend class="g-hidden">{say.remarkTitle}</legend>
              {choice("bad", say.remarkBad)}
              {choice("good", say.remarkGood)}
            </fieldset>
            <label class="s-remark-text">
              {say.remarkText}
              <textarea
                class="g-input"
                rows={3}
                maxLength={TEXT_MAX}
                value={text}
                aria-describedby="remark-hint"
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            <p id="remark-hint" class="g-muted">
              {say.remarkHint}
            </p>
            {state === "failed" && <p role="alert">{say.remarkFailed}</p>}
          </>
        )}
        <div class="g-dialog-buttons">
          <button type="button" class="g-button" onClick={close}>
            {say.close}
          </button>
          {!isSent && (
            <button
              type="submit"
              class="g-button"
              data-variant="primary"
              aria-disabled={state === "sending"}
            >
              {say.remarkSend}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

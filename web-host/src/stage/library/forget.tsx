// Deleting a page: asked once more, because nothing of it is kept.

import { useState } from "preact/hooks";
import { Dialog } from "../../catalog/kit/dialog";
import { stageStrings as say } from "../../strings";
import { forget, type Memory, Refused } from "./ask";
import { listAddress } from "./place";

export function Forget({ page }: { page: Memory }) {
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState("");
  const go = async () => {
    try {
      await forget(page.slug);
      location.hash = listAddress;
    } catch (error) {
      const { status } = error instanceof Refused ? error : new Refused(0, String(error));
      setFailed(status === 401 || status === 403 ? say.forgetForbidden : say.forgetFailed);
    }
  };
  return (
    <>
      <button
        type="button"
        class="g-button"
        onClick={() => {
          setFailed("");
          setAsking(true);
        }}
      >
        {say.forget}
      </button>
      {asking && (
        <Dialog title={say.forgetTitle(page.title)} onClose={() => setAsking(false)}>
          <p>{say.forgetText}</p>
          {failed && (
            <p role="alert" data-tone="bad">
              {failed}
            </p>
          )}
          <div class="g-dialog-buttons">
            <button type="button" class="g-button" onClick={() => setAsking(false)}>
              {say.cancel}
            </button>
            <button type="button" class="g-button" data-tone="bad" onClick={go}>
              {say.forget}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

// A native modal dialog placed near what opened it, and the question asked before an action.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { guestStrings as say } from "../../strings";
import { onceHeld } from "./held";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

const MARGIN = 16;

/** What the dialog needs to be seen whole: a low frame grows for it, and the dialog with the frame. */
function makeRoom(dialog: HTMLDialogElement): void {
  const height = dialog.scrollHeight + dialog.offsetHeight - dialog.clientHeight;
  document.documentElement.style.setProperty("--ggui-dialog-room", `${height + 2 * MARGIN}px`);
}

/** A frame is as tall as its content, so a centred dialog could open out of sight: stay beside the opener. */
function place(dialog: HTMLDialogElement, opener: Element | null): void {
  const height = dialog.offsetHeight;
  const anchor = opener?.getBoundingClientRect();
  const middle = anchor ? anchor.top + anchor.height / 2 : innerHeight / 2;
  const highest = Math.max(MARGIN, innerHeight - height - MARGIN);
  dialog.style.top = `${Math.min(Math.max(MARGIN, middle - height / 2), highest)}px`;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const begun = useRef(false);
  /** The second half of the double click that opened it answers nothing. */
  const press = (event: MouseEvent) => {
    begun.current ||= event.detail < 2;
    if (begun.current) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The focus is back at the opener before the next paint: what is drawn anew then has to find it there.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    dialog.showModal();
    makeRoom(dialog);
    place(dialog, opener);
    const growing = new ResizeObserver(() => makeRoom(dialog));
    for (const part of [dialog, ...dialog.children]) growing.observe(part);
    return () => {
      growing.disconnect();
      document.documentElement.style.removeProperty("--ggui-dialog-room");
      // While a question within it is open nothing else takes the focus.
      dialog.querySelector("dialog")?.close();
      // A page that somebody left for another, or for the one around it, takes nobody back.
      if (document.hasFocus()) dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class="g-dialog"
      aria-labelledby={id}
      onClickCapture={press}
      onKeyDown={onceHeld}
      onClose={(event) => event.target === ref.current && onClose()}
    >
      <h2 id={id} class="g-dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly label: string;
  readonly action: string;
  readonly tone?: string;
  readonly onAnswer: (confirmed: boolean) => void;
}

export function ConfirmDialog({ label, action, tone, onAnswer }: ConfirmProps) {
  return (
    <Dialog title={label} onClose={() => onAnswer(false)}>
      <p>{say.confirmTitle}</p>
      <div class="g-dialog-buttons">
        <button type="button" class="g-button" onClick={() => onAnswer(false)}>
          {say.goBack}
        </button>
        <button
          type="button"
          class="g-button"
          data-variant="primary"
          data-tone={tone}
          data-confirm={action}
          onClick={() => onAnswer(true)}
        >
          {say.confirm}
        </button>
      </div>
    </Dialog>
  );
}

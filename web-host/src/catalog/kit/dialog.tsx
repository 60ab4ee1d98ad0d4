// A native modal dialog placed near what opened it, and the question asked before an action.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { guestStrings as say } from "../../strings";
import { addStyles } from "../styles";
import css from "../styles/dialog.css?inline";
import { onceHeld } from "./held";
import { keepInSight, type Sight } from "./sight";

addStyles(css);

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether closing it would lose input; then a key alone does not close it. */
  readonly holds?: { readonly current: boolean };
  readonly children: ComponentChildren;
}

const MARGIN = 16;
/** The least height of a dialog in pixels: some fields and its buttons. */
const LEAST = 240;
/** And what a frame grows to for one: higher than most windows are. */
const MOST = 1200;

/**
 * What each open dialog needs to be seen whole: a low frame grows for it, and the dialog with the
 * frame.
 */
const rooms = new Map<HTMLDialogElement, number>();

function makeRoom(dialog: HTMLDialogElement, height?: number): void {
  if (height === undefined) rooms.delete(dialog);
  else rooms.set(dialog, height);
  const room = Math.max(0, ...rooms.values());
  const { style } = document.documentElement;
  if (room > 0) style.setProperty("--ggui-dialog-room", `${room}px`);
  else style.removeProperty("--ggui-dialog-room");
}

/**
 * Beside its opener, where it is seen; what is too high for that scrolls above its buttons. True if
 * all of it is seen.
 */
function place(
  dialog: HTMLDialogElement,
  opener: Element | null,
  { top, bottom, covered }: Sight,
): boolean {
  const height = dialog.scrollHeight + dialog.offsetHeight - dialog.clientHeight;
  makeRoom(dialog, Math.min(height, MOST) + covered + 2 * MARGIN);
  const room = Math.max(bottom - top - 2 * MARGIN, Math.min(height, LEAST));
  const most = Math.min(room, innerHeight - 2 * MARGIN);
  const shown = Math.min(height, most);
  const anchor = opener?.getBoundingClientRect() ?? { top, bottom };
  const beside = Math.max(top + MARGIN, (anchor.top + anchor.bottom - shown) / 2);
  const seen = Math.min(beside, bottom - MARGIN - shown, innerHeight - MARGIN - shown);
  const at = Math.max(MARGIN, seen);
  dialog.style.maxBlockSize = `${most}px`;
  dialog.style.top = `${at}px`;
  return at >= top && at + shown <= bottom;
}

export function Dialog({ title, onClose, holds, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const begun = useRef(false);
  const [leaving, setLeaving] = useState(false);
  /**
   * The key, and what stands for it on a phone; the browser heeds only one refusal of the latter.
   */
  const leave = (event: Event) => {
    const own = (event.target as Element).closest("dialog") === ref.current;
    if (!own || !holds?.current) return;
    event.preventDefault();
    setLeaving(true);
  };
  /** The second half of the double click that opened it answers nothing. */
  const press = (event: MouseEvent) => {
    begun.current ||= event.detail < 2;
    if (begun.current) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The focus is back at the opener before the next paint: what is drawn anew then has to find it
  // there.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    const stop = keepInSight(dialog, (seen, moved) => {
      // Placed first, as the browser scrolls to what gets the focus; only what is open has a
      // height.
      const isNew = !dialog.open;
      if (isNew) dialog.open = true;
      const isSeen = place(dialog, opener, seen);
      if (isNew) {
        dialog.open = false;
        dialog.showModal();
      }
      // Only the browser can bring a frame's part into sight, and does so for what gets the focus.
      if (isSeen || !moved || begun.current) return;
      const at = document.activeElement as HTMLElement;
      dialog.tabIndex = -1;
      dialog.focus();
      dialog.removeAttribute("tabindex");
      at.focus({ preventScroll: true });
    });
    return () => {
      stop();
      makeRoom(dialog);
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
      onKeyDown={(event) => {
        begun.current = true;
        onceHeld(event);
        if (event.key === "Escape") leave(event);
      }}
      onCancel={(event) => event.target === ref.current && leave(event)}
      onClose={(event) => event.target === ref.current && onClose()}
    >
      <h2 id={id} class="g-dialog-title">
        {title}
      </h2>
      {children}
      {leaving && (
        <Question
          title={say.discardTitle}
          text={say.discardText}
          no={say.keepEditing}
          yes={say.discard}
          tone="bad"
          onAnswer={(yes) => {
            setLeaving(false);
            if (yes) onClose();
          }}
        />
      )}
    </dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly text: string;
  readonly no: string;
  readonly yes: string;
  readonly action?: string;
  readonly tone?: string;
  readonly onAnswer: (yes: boolean) => void;
}

function Question({ title, text, no, yes, action, tone, onAnswer }: QuestionProps) {
  return (
    <Dialog title={title} onClose={() => onAnswer(false)}>
      <p>{text}</p>
      <div class="g-dialog-buttons">
        <button type="button" class="g-button" onClick={() => onAnswer(false)}>
          {no}
        </button>
        <button
          type="button"
          class="g-button"
          data-variant="primary"
          data-tone={tone}
          data-confirm={action}
          onClick={() => onAnswer(true)}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}

interface ConfirmProps {
  readonly label: string;
  readonly action: string;
  readonly tone?: string;
  readonly onAnswer: (confirmed: boolean) => void;
}

export function ConfirmDialog({ label, ...rest }: ConfirmProps) {
  return (
    <Question {...rest} title={label} text={say.confirmTitle} no={say.goBack} yes={say.confirm} />
  );
}

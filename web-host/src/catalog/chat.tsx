// Chat: messages of several people, the newest last, and an input line.

import { useEffect, useRef, useState } from "preact/hooks";
import { type ComponentProps, isTaken, useDraw } from "../draw/context";
import { formatMoment } from "../draw/format";
import { useActionControl, useField, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { arrayOf, isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise, worded } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Catalog } from "../wire/catalog";
import type { Json } from "../wire/json";
import { ActionStatus, FireButton } from "./kit/action";
import { inline, plain, unlinked } from "./kit/markdown";
import { nameById } from "./kit/names";
import { Actions, Facts, nameOf, useRecords, Value } from "./kit/records";
import { lookedUp, useReferred } from "./kit/structure";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/chat.css?inline";
import "./kit/field-styles";

addStyles(css);

/** Messages shown at once, the newest. */
const SHOWN = 200;
const LETTERS = 4000;

export function Chat({ def, scope }: ComponentProps<"Chat">) {
  const { model } = useDraw();
  const records = useRecords(def, scope);
  const more = useValue(def.more, scope);
  const me = useValue(def.me, scope);
  const drawn = records.typed ? unlinked : inline;
  const all = [...records.rows, ...arrayOf(more)];
  const shown = all.slice(-SHOWN);
  const first = all.length - shown.length;
  const authors = useReferred(def.authorNames);
  const authorOf = (id: Json | undefined) =>
    (def.authorNames && lookedUp(id, authors, def.authorNames)) ?? nameById(text(id), model) ?? id;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, [all.length]);
  return (
    <section {...useRoot(def, scope, "chat")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {all.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      {first > 0 && <p class="g-muted">{say.andMore(first)}</p>}
      <ol
        class="g-messages"
        aria-live="polite"
        aria-label={records.title || undefined}
        tabIndex={all.length > 0 ? 0 : undefined}
        ref={list}
      >
        {shown.map((row, index) => {
          const rowKey = records.keyOf(row, first + index);
          const by = own(row, def.authorField);
          const called = nameOf(authorOf(by));
          // A role is a word of a program, a name is somebody's.
          const isRole = def.authorField === "kind" || def.authorField === "role";
          const author = isRole ? humanise(called) : worded(called);
          const at = own(row, def.timeField);
          const said = own(row, def.textField);
          // What is more than a text is drawn as its column says: a picture, an offer.
          const column = records.columns.find(({ field }) => field === def.textField);
          return (
            <li
              key={rowKey}
              data-mine={own(row, "mine") === true || (def.me && by === me) || undefined}
            >
              <p class="g-message-head">
                <strong>{author}</strong>{" "}
                {(typeof at === "string" || typeof at === "number") && (
                  <small class="g-muted">{formatMoment(at, "datetime", records.locale)}</small>
                )}
              </p>
              <div class="g-message">
                {column && isObject(said) ? (
                  <Value records={records} row={row} column={column} />
                ) : (
                  <Whole
                    text={text(said)}
                    letters={LETTERS}
                    draw={def.textFormat === "markdown" ? drawn : records.typed ? undefined : plain}
                  />
                )}
              </div>
              <Facts
                records={records}
                row={row}
                of={records.columns.filter((one) => one !== column && one.format !== "boolean")}
              />
              <Actions
                def={def}
                scope={scope}
                records={records}
                row={row}
                rowKey={rowKey}
                name={author}
              />
            </li>
          );
        })}
      </ol>
      {def.pick && <Line def={def} scope={scope} pick={def.pick} />}
    </section>
  );
}

interface LineProps extends ComponentProps<"Chat"> {
  readonly pick: NonNullable<Catalog["Chat"]["pick"]>;
}

function Line({ def, scope, pick }: LineProps) {
  const control = useActionControl(def.id, scope, pick.action);
  const [typed, set] = useField(def.draft, scope);
  const [local, setLocal] = useState("");
  const value = def.draft ? text(typed) : local;
  const write = (next: string) => (def.draft ? set(next) : setLocal(next));
  const sent = useRef("");
  const taken = isTaken(control.state.phase);
  useEffect(() => {
    if (taken && sent.current && sent.current === value) write("");
    if (taken) sent.current = "";
  }, [taken]);
  const send = () => {
    if (!value.trim()) return;
    sent.current = value;
    control.fire(pick.action, { [pick.to]: value }, { confirm: pick.confirm });
  };
  return (
    <form
      class="g-reply"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        class="g-input"
        rows={2}
        aria-label={pick.label}
        value={value}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <FireButton
        action={pick.action}
        label={pick.label}
        variant={pick.variant}
        state={control.state}
        onFire={send}
        submit
      />
      <ActionStatus state={control.state} />
    </form>
  );
}

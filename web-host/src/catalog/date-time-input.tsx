// DateTimeInput: a date, a time or both; what carries a time is stored with its zone.

import type { ComponentProps } from "../draw/context";
import { useCheckedField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { fromDateTime, fromTime, toDateTime, toTime } from "../form/moment";
import { TextInput, useTyped } from "./kit/inputs";
import { Labeled } from "./kit/labeled";

export function DateTimeInput({ def, scope }: ComponentProps<"DateTimeInput">) {
  const [value, set, problem] = useCheckedField(def, scope);
  const label = useText(def.label, scope);
  const time = def.enableTime === true;
  const date = def.enableDate !== false && (def.enableDate === true || !time);
  const type = date && time ? "datetime-local" : time ? "time" : "date";
  const stored = text(value);
  const [shown, typedAs] = useTyped(
    value,
    stored === ""
      ? ""
      : type === "date"
        ? stored.slice(0, 10)
        : type === "time"
          ? fromTime(stored)
          : fromDateTime(stored),
  );
  const input = (typed: string) => {
    // An incomplete date is not a value yet.
    const read =
      typed === "NaN"
        ? undefined
        : type === "date"
          ? typed
          : type === "time"
            ? toTime(typed)
            : toDateTime(typed);
    typedAs(typed, read || null);
    set(read || null);
  };
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label} hideLabel={!label} problem={problem}>
        {(ids) => <TextInput ids={ids} type={type} value={shown} onInput={input} />}
      </Labeled>
    </div>
  );
}

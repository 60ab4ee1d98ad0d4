// TextField: one line, long text, a number or a hidden text, bound both ways.

import { useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useFailedCheck, useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { LongText, TextInput, useTyped } from "./kit/inputs";
import { Labeled } from "./kit/labeled";

export function TextField({ def, scope }: ComponentProps<"TextField">) {
  const [value, set] = useField(def.value, scope);
  const [left, setLeft] = useState(false);
  const [typed, setTyped] = useState(false);
  const failed = useFailedCheck(def.checks, scope);
  const label = useText(def.label, scope);
  const number = def.variant === "number";
  const [shown, typedAs] = useTyped(value, text(value));
  const input = (next: string) => {
    setTyped(true);
    const taken = !number ? next : next === "" || next === "NaN" ? null : Number(next);
    typedAs(next, taken);
    set(taken);
  };
  const shared = { value: shown, onInput: input, onBlur: () => setLeft(true) };
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label} problem={left && typed ? failed || undefined : undefined}>
        {(ids) =>
          def.variant === "longText" ? (
            <LongText ids={ids} {...shared} />
          ) : (
            <TextInput
              ids={ids}
              {...shared}
              type={number ? "number" : def.variant === "obscured" ? "password" : "text"}
              step={number ? "any" : undefined}
            />
          )
        }
      </Labeled>
    </div>
  );
}

// FieldSet: a schema's fields bound both ways, without a button.

import type { ComponentProps } from "../draw/context";
import { useField, useRoom, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { NO_FIELDS } from "../form/schema";
import { Editors } from "./fields/editor";
import { useFormState } from "./kit/form-state";

const nothingRefused: ReadonlyMap<string, string> = new Map();

export function FieldSet({ def, scope }: ComponentProps<"FieldSet">) {
  const title = useText(def.title, scope);
  const [value, set] = useField(def.value, scope);
  const form = useFormState(def.schema ?? NO_FIELDS, value, nothingRefused, useRoom(scope), {
    onChange: set,
  });
  return (
    <section {...useRoot(def, scope, "form")}>
      {title && <h2 class="g-title">{title}</h2>}
      <Editors form={form} />
    </section>
  );
}

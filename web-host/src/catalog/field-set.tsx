// FieldSet: a schema's fields bound both ways, without a button.

import type { ComponentProps } from "../draw/context";
import { useField, useRoom, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { isObject } from "../draw/pointer";
import type { Schema } from "../wire/json";
import { Editors } from "./fields/editor";
import { useFormState } from "./kit/form-state";

const nothingRefused: ReadonlyMap<string, string> = new Map();

export function FieldSet({ def, scope }: ComponentProps) {
  const title = useText(def.title, scope);
  const [value, set] = useField(def.value, scope);
  const schema = (isObject(def.schema) ? def.schema : { type: "object" }) as Schema;
  const form = useFormState(schema, value, nothingRefused, useRoom(scope), { onChange: set });
  return (
    <section {...useRoot(def, scope, "form")}>
      {title && <h2 class="g-title">{title}</h2>}
      <Editors form={form} />
    </section>
  );
}

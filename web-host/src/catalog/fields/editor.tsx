// Chooses the control for a field and puts its label, hint and problem around it.

import { arrayOf } from "../../draw/pointer";
import { matchesPattern } from "../../draw/regex";
import type { Draft } from "../../form/draft";
import {
  choicesOf,
  type Field,
  hintIn,
  isDecided,
  itemOf,
  scaleOf,
  starsOf,
} from "../../form/field";
import { numberAt, textAt } from "../../form/schema";
import type { Json } from "../../wire/json";
import type { FormState } from "../kit/form-state";
import {
  Check,
  Checks,
  type InputType,
  LongText,
  Segments,
  SelectInput,
  TextInput,
} from "../kit/inputs";
import { Labeled, LabeledGroup, Measured } from "../kit/labeled";
import { StarsInput } from "../kit/stars";
import { type EditorProps, Group, List, MAX_SEGMENTS, MapRows, Union } from "./composite";
import { FileInput } from "./file";
import "../kit/field-styles";

const inputTypes: { readonly [kind: string]: InputType } = {
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime-local",
  time: "time",
};

export function Editor(props: EditorProps) {
  const { form, field, path, draft, required, hideLabel, inside } = props;
  const problem = form.problemAt(path);
  const set = (value: Draft) => form.set(path, value);
  const visit = () => form.visit(path);
  const typed = typeof draft === "string" ? draft : "";
  const around = {
    label: field.label,
    hint: field.hint,
    problem,
    required,
    optional: !required,
    hideLabel,
  };
  const placeholder = examplePlaceholder(field) ?? (inside ? field.label : undefined);
  switch (field.kind) {
    case "fixed":
      // What is sent is seen; what may be left out is not sent.
      return required && !isDecided(field) ? (
        <div class="g-field">
          <span class="g-label">{field.label}</span>
          <span>{choicesOf({ enum: [field.schema.const ?? null] })[0]!.label}</span>
          {around.hint && <span class="g-hint">{around.hint}</span>}
        </div>
      ) : null;
    case "group":
      return <Group {...props} Editor={Editor} />;
    case "list":
      return <List {...props} Editor={Editor} />;
    case "map":
      return <MapRows {...props} Editor={Editor} />;
    case "union":
      return <Union {...props} Editor={Editor} />;
    case "choices":
      return (
        <LabeledGroup {...around}>
          {() => (
            <Checks
              choices={choicesOf(itemOf(field).schema)}
              value={arrayOf(draft)}
              onChoose={set}
            />
          )}
        </LabeledGroup>
      );
    case "choice": {
      const choices = choicesOf(field.schema);
      if (inside || choices.length > MAX_SEGMENTS)
        return (
          <Labeled {...around}>
            {(ids) => (
              <SelectInput
                ids={ids}
                choices={choices}
                value={draft}
                onChoose={set}
                onBlur={visit}
                placeholder={inside ? field.label : undefined}
              />
            )}
          </Labeled>
        );
      return (
        <LabeledGroup {...around} role="radiogroup">
          {() => <Segments choices={choices} value={draft} onChoose={set} clearable={!required} />}
        </LabeledGroup>
      );
    }
    case "consent":
    case "boolean":
      return (
        <Labeled {...around} label="" required={required && field.kind === "consent"}>
          {(ids) => (
            <Check
              ids={ids}
              label={field.label}
              checked={draft === true}
              onChange={set}
              onBlur={visit}
            />
          )}
        </Labeled>
      );
    case "number": {
      const scale = scaleOf(field);
      const stars = starsOf(field, `${path.at(-1)} ${field.label}`);
      const chosen = typed === "" ? undefined : Number(typed);
      const choose = (value: Json | undefined) => set(value === undefined ? "" : String(value));
      if (stars)
        return (
          <LabeledGroup {...around} role="radiogroup">
            {() => <StarsInput value={chosen} max={stars} onChoose={choose} />}
          </LabeledGroup>
        );
      if (scale)
        return (
          <LabeledGroup {...around} role="radiogroup">
            {() => (
              <Segments
                choices={scale.map((value) => ({ value, label: String(value) }))}
                value={chosen}
                onChoose={choose}
                clearable={!required}
                scale
              />
            )}
          </LabeledGroup>
        );
      const whole = field.schema.type === "integer";
      const unit = hintIn(field.schema, "unit");
      return (
        <Labeled {...around}>
          {(ids) => (
            <Measured unit={unit} ids={ids}>
              {(ids) => (
                <TextInput
                  ids={ids}
                  type="number"
                  value={typed}
                  onInput={set}
                  onBlur={visit}
                  step={whole ? 1 : "any"}
                  min={numberAt(field.schema, "minimum")}
                  max={numberAt(field.schema, "maximum")}
                  inputMode={whole ? "numeric" : "decimal"}
                  placeholder={placeholder}
                />
              )}
            </Measured>
          )}
        </Labeled>
      );
    }
    case "file":
      return (
        <Labeled {...around}>{(ids) => <FileInput ids={ids} value={typed} onFile={set} />}</Labeled>
      );
    case "text":
      return (
        <Labeled {...around}>
          {(ids) => <LongText ids={ids} value={typed} onInput={set} onBlur={visit} />}
        </Labeled>
      );
    case "json":
      return (
        <Labeled {...around} hint={around.hint ?? "JSON"}>
          {(ids) => <LongText ids={ids} value={typed} onInput={set} onBlur={visit} />}
        </Labeled>
      );
    default:
      return (
        <Labeled {...around}>
          {(ids) => (
            <TextInput
              ids={ids}
              type={isClock(field) ? "time" : (inputTypes[field.kind] ?? "text")}
              value={typed}
              onInput={set}
              onBlur={visit}
              placeholder={placeholder}
            />
          )}
        </Labeled>
      );
  }
}

/**
 * Whether a text is a time of day by its pattern: hours and minutes, as an input for them gives
 * them.
 */
function isClock({ kind, schema }: Field): boolean {
  const pattern = textAt(schema, "pattern");
  const fits = (value: string) => matchesPattern(pattern!, value);
  return (
    kind === "line" && pattern !== undefined && fits("23:59") && fits("00:00") && !fits("2a:59")
  );
}

function examplePlaceholder(field: Field): string | undefined {
  const example = field.schema.example ?? arrayOf(field.schema.examples)[0];
  return typeof example === "string" || typeof example === "number" ? String(example) : undefined;
}

/** The fields of a form's own object, without a frame around them. */
export function Editors({ form, inside }: { form: FormState; inside?: boolean }) {
  return form.field.kind === "group" ? (
    <Group
      form={form}
      field={form.field}
      path={[]}
      draft={form.draft}
      required
      room={form.room}
      hideLabel
      inside={inside}
      Editor={Editor}
    />
  ) : (
    <Editor
      form={form}
      field={form.field}
      path={[]}
      draft={form.draft}
      required
      room={form.room}
      hideLabel
    />
  );
}

// Fields made of fields: groups, lists with rows to add and remove, maps and unions.

import type { ComponentChildren, ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { MAX_FIELDS } from "../../draw/limits";
import { arrayOf, own, type Path } from "../../draw/pointer";
import type { Draft } from "../../form/draft";
import {
  branchesOf,
  type Field,
  itemOf,
  mapValueOf,
  membersOf,
  roomAfter,
  singular,
} from "../../form/field";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { FormState } from "../kit/form-state";
import { Icon } from "../kit/icons";
import { Segments, SelectInput, TextInput } from "../kit/inputs";
import { Labeled, LabeledGroup } from "../kit/labeled";
import "../kit/field-styles";
import { formStrings } from "../../form/strings";

/** As many choices are seen at once; more are behind a button. */
export const MAX_SEGMENTS = 5;

export interface EditorProps {
  readonly form: FormState;
  readonly field: Field;
  readonly path: Path;
  readonly draft: Draft;
  readonly required: boolean;
  /** How many rows the lists below here may show. */
  readonly room: number;
  readonly hideLabel?: boolean;
  /** The label stands inside the empty field, where there is no room beside it. */
  readonly inside?: boolean;
}

/** Each is given what draws the fields within it. */
interface CompositeProps extends EditorProps {
  readonly Editor: ComponentType<EditorProps>;
}

export function Group({
  form,
  field,
  path,
  draft,
  required,
  room,
  hideLabel,
  inside,
  Editor,
}: CompositeProps) {
  const all = membersOf(field);
  if (all.length === 0) return null;
  const members = all.map((member) => (
    <Editor
      key={member.name}
      form={form}
      field={member.field}
      path={[...path, member.name]}
      draft={own(draft, member.name)}
      required={member.required}
      room={room / all.length}
      inside={inside}
    />
  ));
  if (hideLabel) return <div class="g-fields">{members}</div>;
  return (
    <fieldset class="g-group">
      <legend class="g-label">
        {field.label}
        {!required && <span class="g-optional"> {formStrings.optional}</span>}
      </legend>
      {field.hint && <span class="g-hint">{field.hint}</span>}
      <div class="g-fields">{members}</div>
    </fieldset>
  );
}

interface RowsProps extends EditorProps {
  readonly rows: readonly Json[];
  readonly itemLabel: string;
  readonly fresh: Json;
  /** How many rows are shown; the others stay as they are. */
  readonly most: number;
  readonly row: (row: Json, index: number) => ComponentChildren;
}

/**
 * How many of these rows fit, where each holds such a field, and how much room that leaves to each.
 */
function share(room: number, rows: readonly Json[], item: Field): { most: number; room: number } {
  const most = Math.max(1, Math.floor(room / (MAX_FIELDS - roomAfter(item, MAX_FIELDS))));
  return { most, room: room / Math.max(1, Math.min(most, rows.length)) };
}

function Rows({
  form,
  field,
  path,
  required,
  rows,
  itemLabel,
  fresh,
  most,
  row,
  hideLabel,
}: RowsProps) {
  // A row stays itself when one before it goes: what its fields hold of their own goes with it.
  const keys = useRef<number[]>([]);
  const made = useRef(0);
  keys.current.length = Math.min(keys.current.length, rows.length);
  while (keys.current.length < rows.length) keys.current.push(made.current++);
  const update = (next: readonly Json[]) =>
    form.set(path, next.length === 0 && !required ? undefined : next);
  const remove = (index: number) => {
    keys.current.splice(index, 1);
    update(rows.filter((_, at) => at !== index));
  };
  return (
    <LabeledGroup
      label={field.label}
      optional={!required}
      hideLabel={hideLabel}
      hint={field.hint}
      problem={form.problemAt(path)}
    >
      {() => (
        <div class="g-rows">
          {rows.slice(0, most).map((value, index) => (
            <div class="g-row-editor" key={keys.current[index]}>
              <div class="g-row-fields">{row(value, index)}</div>
              <button
                type="button"
                class="g-button"
                data-variant="quiet"
                aria-label={formStrings.removeItem(formStrings.itemNumber(itemLabel, index + 1))}
                onClick={() => remove(index)}
              >
                <Icon name="delete" />
              </button>
            </div>
          ))}
          {rows.length > most ? (
            <p class="g-muted">{say.andMore(rows.length - most)}</p>
          ) : (
            <button
              type="button"
              class="g-button"
              data-variant="default"
              onClick={() => update([...rows, fresh])}
            >
              <Icon name="add" />
              {formStrings.addItem(itemLabel)}
            </button>
          )}
        </div>
      )}
    </LabeledGroup>
  );
}

export function List({ Editor, ...props }: CompositeProps) {
  const rows = arrayOf(props.draft);
  const item = itemOf(props.field);
  const { most, room } = share(props.room, rows, item);
  const row = (value: Json, index: number) => (
    <Editor
      form={props.form}
      field={{
        ...item,
        label: item.kind === "group" ? formStrings.itemNumber(item.label, index + 1) : item.label,
      }}
      path={[...props.path, String(index)]}
      draft={value ?? undefined}
      required
      room={room}
      hideLabel={item.kind !== "group"}
    />
  );
  return <Rows {...props} rows={rows} itemLabel={item.label} fresh={null} most={most} row={row} />;
}

export function MapRows({ Editor, ...props }: CompositeProps) {
  const { form, path } = props;
  const rows = arrayOf(props.draft);
  const value = mapValueOf(props.field);
  const { most, room } = share(props.room, rows, value);
  const row = (entry: Json, index: number) => {
    const at = [...path, String(index)];
    const key = own(entry, "key");
    return (
      <>
        <Labeled label={formStrings.key} problem={form.problemAt([...at, "key"])} required>
          {(ids) => (
            <TextInput
              ids={ids}
              type="text"
              value={typeof key === "string" ? key : ""}
              onInput={(typed) => form.set([...at, "key"], typed)}
              onBlur={() => form.visit([...at, "key"])}
            />
          )}
        </Labeled>
        <Editor
          form={form}
          field={value}
          path={[...at, "value"]}
          draft={own(entry, "value") ?? undefined}
          required
          room={room}
        />
      </>
    );
  };
  return (
    <Rows
      {...props}
      rows={rows}
      itemLabel={singular(props.field.label)}
      fresh={{ key: "" }}
      most={most}
      row={row}
    />
  );
}

export function Union({
  form,
  field,
  path,
  draft,
  required,
  room,
  hideLabel,
  Editor,
}: CompositeProps) {
  const branches = branchesOf(field);
  const chosen = own(draft, "branch");
  const branch = typeof chosen === "number" ? branches[chosen] : undefined;
  const choices = branches.map((option, index) => ({
    value: index,
    label: String(option.schema.title ?? option.label),
  }));
  const choose = (index: Json | undefined) =>
    form.set(path, index === undefined ? undefined : { branch: index });
  const around = {
    label: hideLabel ? formStrings.variant : field.label,
    optional: !required,
    problem: form.problemAt(path),
    hint: field.hint,
  };
  return (
    <div class="g-fields">
      {choices.length > MAX_SEGMENTS ? (
        <Labeled {...around}>
          {(ids) => <SelectInput ids={ids} choices={choices} value={chosen} onChoose={choose} />}
        </Labeled>
      ) : (
        <LabeledGroup {...around} role="radiogroup">
          {() => (
            <Segments choices={choices} value={chosen} onChoose={choose} clearable={!required} />
          )}
        </LabeledGroup>
      )}
      {branch && (
        <Editor
          form={form}
          field={branch}
          path={[...path, "value"]}
          draft={own(draft, "value") ?? undefined}
          required
          room={room}
          hideLabel={branch.kind === "group"}
        />
      )}
    </div>
  );
}

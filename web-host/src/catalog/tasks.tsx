// Tasks: records that are ticked off one by one, in their groups, and how many of them are done.

import { Fragment } from "preact";
import { useId } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useRoot } from "../draw/node";
import { isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import type { ComponentDef } from "../wire/catalog";
import type { Json } from "../wire/json";
import type { Column, RowAction as Spec } from "../wire/view";
import { Bar } from "./kit/bar";
import { type Chosen, Marked, useChosen } from "./kit/chosen";
import { Icon } from "./kit/icons";
import { usePaged } from "./kit/paged";
import { Actions, Facts, type Records, useRecords, Value } from "./kit/records";
import { isPast } from "./kit/row-action";
import { asTyped } from "./kit/structure";
import { Tick } from "./kit/tick";
import { addStyles } from "./styles";
import css from "./styles/tasks.css?inline";

addStyles(css);

const PAGE = 100;

interface Task {
  readonly row: Json;
  readonly rowKey: string;
}

/** The tasks by the values of a member, in the order in which these appear. */
function groupsOf(tasks: readonly Task[], field: string | undefined): Map<string, Task[]> {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const group = text(own(task.row, field));
    const others = groups.get(group);
    if (others) others.push(task);
    else groups.set(group, [task]);
  }
  return groups;
}

/** Whether a task is done: by a yes, or by a choice that was made and leaves nothing open. */
function isDone({ doneField, openValues = [] }: ComponentDef<"Tasks">, row: Json): boolean {
  const value = own(row, doneField);
  return typeof value === "boolean"
    ? value
    : text(value) !== "" && !openValues.includes(text(value));
}

/** The column of a member, also of one that is not listed. */
function columnOf({ columns, typed }: Records, field = "", format?: "badge"): Column {
  const plain: Column = { field, label: "", ...(format && { format }) };
  return columns.find((column) => column.field === field) ?? (typed ? asTyped(plain) : plain);
}

/** How each of the tasks is drawn. */
interface TaskProps extends ComponentProps<"Tasks">, Task {
  readonly records: Records;
  readonly chosen: Chosen | undefined;
  readonly tick: Spec | undefined;
  readonly untick: Spec | undefined;
  readonly facts: readonly Column[];
  /** Where being done is more than a yes: what is said of it. */
  readonly choice: Column | undefined;
}

export function Tasks({ def, scope }: ComponentProps<"Tasks">) {
  const all = useRecords(def, scope);
  const chosen = useChosen(def, scope);
  const { doneField, groupField } = def;
  const isSaid = (row: Json) => /^(string|number)$/.test(typeof own(row, doneField));
  const isChoice = def.openValues !== undefined || all.rows.some(isSaid);
  // A choice stands in words, and what makes it is a button like any other.
  const turning = isChoice ? [] : all.actions;
  const toggle = turning.find(({ toggles }) => toggles !== undefined && toggles === doneField);
  const [tick, untick] = [def.tick, def.untick].map(
    (name) => turning.find(({ action }) => action === name) ?? toggle,
  );
  const records = {
    ...all,
    actions: all.actions.filter((action) => action !== tick && action !== untick),
  };
  const told = [def.titleField, def.requiredField, groupField];
  // Who did it, and when, is more than a yes.
  if (!all.rows.some((row) => isObject(own(row, doneField)))) told.push(doneField);
  const facts = all.columns.filter(({ field }) => !told.includes(field));
  const choice = isChoice ? columnOf(all, doneField, "badge") : undefined;
  const heading = columnOf(all, groupField);
  const tasks = all.rows.map((row, index): Task => ({ row, rowKey: all.keyOf(row, index) }));
  const [shown, more] = usePaged([...groupsOf(tasks, groupField).values()].flat(), PAGE);
  const groups = [...groupsOf(shown, groupField)];
  const done = tasks.filter(({ row }) => isDone(def, row)).length;
  const id = useId();
  const Name = all.title ? "h3" : "h2";
  return (
    <section {...useRoot(def, scope, "tasks")}>
      <div>
        <div class="g-head">
          {all.title && <h2 class="g-title">{all.title}</h2>}
          {tasks.length > 0 && <p class="g-muted">{say.doneOf(done, tasks.length)}</p>}
        </div>
        {tasks.length > 0 && <Bar share={done / tasks.length} aria-hidden />}
      </div>
      {tasks.length === 0 && <p class="g-nodata">{all.emptyText}</p>}
      {groups.map(([group, members], nth) => {
        const headed = group !== "" || groups.length > 1 ? `${id}${nth}` : undefined;
        return (
          <Fragment key={group}>
            {headed && (
              <Name id={headed}>
                {group ? <Value records={all} row={members[0]!.row} column={heading} /> : say.none}
              </Name>
            )}
            <ul
              role="list"
              aria-labelledby={headed}
              aria-label={headed ? undefined : all.title || undefined}
            >
              {members.map((task) => (
                <TaskItem
                  key={task.rowKey}
                  {...{ def, scope, records, chosen, tick, untick, facts, choice }}
                  {...task}
                />
              ))}
            </ul>
          </Fragment>
        );
      })}
      {more}
    </section>
  );
}

function TaskItem({
  def,
  scope,
  records,
  chosen,
  tick,
  untick,
  facts,
  choice,
  ...task
}: TaskProps) {
  const { row, rowKey } = task;
  const name = records.titleOf(row, def.titleField);
  const done = isDone(def, row);
  const hasBox = done ? (tick ?? untick) : tick && !isPast(tick, row);
  return (
    <li data-record={rowKey} data-done={done || undefined}>
      <div>
        <div class="g-task">
          {hasBox ? (
            <Tick
              {...{ tick, untick, scope }}
              {...task}
              tableId={def.id}
              field={def.doneField ?? ""}
              rowName={name}
              label={chosen && `${say.done}: ${name}`}
            >
              {chosen ? undefined : name}
            </Tick>
          ) : (
            !choice && (
              <span class="g-task-mark">
                <Icon name={done ? "good" : "circle"} />
                <span class="g-hidden">{done ? say.done : say.notDone}</span>
              </span>
            )
          )}
          {(chosen || !hasBox) && (
            <span>
              <Marked chosen={chosen} row={row} name={name} />
            </span>
          )}
          {own(row, def.requiredField) === true && <small class="g-muted">{say.required}</small>}
        </div>
        <Facts records={records} row={row} of={facts} />
      </div>
      {choice && text(own(row, choice.field)) !== "" && (
        <Value records={records} row={row} column={choice} />
      )}
      <Actions {...{ def, scope, records, row, rowKey, name }} />
    </li>
  );
}

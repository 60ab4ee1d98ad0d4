// Board: records in columns by their state; one is moved by its menu, with the keyboard, or by
// dragging.

import { useRef, useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useActionControl, useWaiting } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { text } from "../draw/text";
import { toneOf } from "../draw/tone";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Catalog } from "../wire/catalog";
import type { Json } from "../wire/json";
import { ActionStatus } from "./kit/action";
import { type Chosen, Marked, useChosen } from "./kit/chosen";
import { Actions, Facts, type Records, useRecords } from "./kit/records";
import { pick } from "./kit/row-action";
import { Lanes } from "./lanes";
import { addStyles } from "./styles";
import css from "./styles/board.css?inline";
import "./kit/field-styles";

addStyles(css);

type Group = NonNullable<Catalog["Board"]["groups"]>[number];
/** The action that only needs the group a record goes to. */
type Move = NonNullable<Catalog["Board"]["move"]>;
interface Card {
  readonly row: Json;
  readonly rowKey: string;
}

const SHOWN = 50;
/** Columns a board has beyond those that are declared. */
const STRANGERS = 12;

export function Board(props: ComponentProps<"Board">) {
  return props.def.cardsField ? <Lanes {...props} /> : <States {...props} />;
}

function States({ def, scope }: ComponentProps<"Board">) {
  const records = useRecords(def, scope);
  const waits = useWaiting([def.rows], scope);
  const chosen = useChosen(def, scope);
  const names = def.groupNames;
  const heads = useRecords({ rows: names?.rows, columns: def.groupColumns }, scope);
  const declared = names
    ? heads.rows.slice(0, SHOWN).map((row): Group => {
        const value = text(own(row, names.key));
        const title = text(own(row, names.titleField));
        // A column that is called by its key is called as programs call it.
        return { value, label: shortName(title && title !== value ? title : humanise(value)) };
      })
    : (def.groups ?? []);
  const move = def.move;
  const [dragged, setDragged] = useState("");
  const [over, setOver] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const Name = records.title ? "h3" : "h2";
  const cards = records.rows.map(
    (row, index): Card => ({ row, rowKey: records.keyOf(row, index) }),
  );
  const groupOf = ({ row }: Card) => text(own(row, def.groupField));
  const byGroup = new Map<string, Card[]>();
  for (const card of cards) {
    const group = groupOf(card);
    const own = byGroup.get(group);
    if (own) own.push(card);
    else byGroup.set(group, [card]);
  }
  const strangers = [...byGroup.keys()].filter(
    (value) => !declared.some((group) => group.value === value),
  );
  const groups = [
    ...declared,
    ...strangers
      .slice(0, STRANGERS)
      .map((value) => ({ value, label: shortName(value) || say.none })),
  ];
  /** Arrow keys go from card to card: up and down in a column, sideways to the nearest one. */
  const keys = (event: KeyboardEvent) => {
    const focused = event.target as HTMLElement;
    if (focused.dataset.card === undefined) return;
    const columns = [...box.current!.children].map((column) => [
      ...column.querySelectorAll<HTMLElement>("[data-card]"),
    ]);
    const x = columns.findIndex((column) => column.includes(focused));
    const y = columns[x]!.indexOf(focused);
    const rtl = getComputedStyle(box.current!).direction === "rtl";
    const steps: { [key: string]: number } = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 };
    const step = steps[event.key];
    let next: HTMLElement | undefined;
    if (event.key === "ArrowDown") next = columns[x]![y + 1];
    else if (event.key === "ArrowUp") next = columns[x]![y - 1];
    else if (step)
      for (let at = x + step; !next && at >= 0 && at < columns.length; at += step)
        next = columns[at]![Math.min(y, columns[at]!.length - 1)];
    else return;
    event.preventDefault();
    next?.focus();
  };
  return (
    <section {...useRoot(def, scope, "board")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      <div class="g-board-columns" ref={box} onKeyDown={keys}>
        {groups.map((group, nth) => {
          const own = byGroup.get(group.value) ?? [];
          return (
            <section
              key={group.value}
              class="g-board-column"
              aria-label={say.group(group.label, own.length)}
              data-tone={toneOf(group.value)}
              data-over={(dragged !== "" && over === group.value) || undefined}
              onDragOver={(event) => {
                // Only where its menu could send it.
                if (!dragged || !declared.includes(group)) return;
                event.preventDefault();
                setOver(group.value);
              }}
              onDragLeave={(event) =>
                !event.currentTarget.contains(event.relatedTarget as Element | null) && setOver("")
              }
              onDrop={(event) => {
                event.preventDefault();
                const element = box.current!.querySelector<HTMLSelectElement>(
                  `[data-move="${CSS.escape(dragged)}"]`,
                );
                setDragged("");
                setOver("");
                if (!element || element.value === group.value) return;
                element.value = group.value;
                element.dispatchEvent(new Event("change", { bubbles: true }));
              }}
            >
              <Name>
                {group.label} <span class="g-muted">{own.length}</span>
              </Name>
              {names && <Facts records={heads} row={heads.rows[nth] ?? null} />}
              {own.slice(0, SHOWN).map((card) => (
                <BoardCard
                  key={card.rowKey}
                  def={def}
                  scope={scope}
                  records={records}
                  card={card}
                  group={group.value}
                  groups={declared}
                  move={move}
                  chosen={chosen}
                  onDrag={setDragged}
                />
              ))}
              {own.length === 0 && <p class="g-muted">{waits ? say.awaited : say.nothingHere}</p>}
              {own.length > SHOWN && <p class="g-muted">{say.andMore(own.length - SHOWN)}</p>}
            </section>
          );
        })}
      </div>
      {strangers.length > STRANGERS && (
        <p class="g-muted">{say.andMore(strangers.length - STRANGERS)}</p>
      )}
    </section>
  );
}

interface CardProps extends ComponentProps<"Board"> {
  readonly records: Records;
  readonly card: Card;
  readonly group: string;
  readonly groups: readonly Group[];
  readonly move: Move | undefined;
  readonly chosen: Chosen | undefined;
  readonly onDrag: (rowKey: string) => void;
}

function BoardCard({
  def,
  scope,
  records,
  card: { row, rowKey },
  group,
  groups,
  move,
  chosen,
  onDrag,
}: CardProps) {
  const control = useActionControl(def.id, scope, `${move?.action}:${rowKey}`);
  const [sent, setSent] = useState<string>();
  const name = records.titleOf(row, def.titleField);
  const send = (to: string) => {
    setSent(to);
    control.fire(move!.action, Object.assign(pick(move!.fixed, row), { [move!.to]: to }), {
      confirm: move!.confirm,
      subject: name,
    });
  };
  const waits = ["pending", "sent", "received"].includes(control.state.phase);
  return (
    <article
      class="g-board-card"
      data-card={rowKey}
      tabIndex={0}
      aria-label={name}
      draggable={move !== undefined}
      aria-busy={waits}
      onDragStart={(event) => {
        // Without data some browsers drag nothing.
        event.dataTransfer?.setData("text/plain", name);
        onDrag(rowKey);
      }}
      onDragEnd={() => onDrag("")}
    >
      <strong>
        <Marked chosen={chosen} row={row} name={name} />
      </strong>
      <Facts records={records} row={row} />
      {move && (
        <select
          class="g-input"
          data-move={rowKey}
          aria-label={`${move.label}: ${name}`}
          value={waits && sent !== undefined ? sent : group}
          onChange={(event) => send(event.currentTarget.value)}
        >
          {groups.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <ActionStatus state={control.state} />
      <Actions def={def} scope={scope} records={records} row={row} rowKey={rowKey} name={name} />
    </article>
  );
}

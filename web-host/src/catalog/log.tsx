// Log: lines as they come, following the tail until the person scrolls away.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ComponentProps, useDraw } from "../draw/context";
import { formatMoment } from "../draw/format";
import { useText, useValue } from "../draw/hooks";
import { lettersEach, shortName } from "../draw/limits";
import { RING_SIZE } from "../draw/model";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { toneOf } from "../draw/tone";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { CopyButton } from "./kit/copy";
import { useEmptyText } from "./kit/empty";
import { memo } from "./kit/memo";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/log.css?inline";

addStyles(css);

const SHOWN = 300;
const LETTERS = lettersEach(RING_SIZE);
const NEAR = 24;

export function Log({ def, scope }: ComponentProps<"Log">) {
  const { locale } = useDraw();
  const title = useText(def.title, scope);
  const value = useValue(def.lines, scope);
  const emptyText = useEmptyText([def.lines], scope, say.noLines);
  const lines = arrayOf(value);
  const [all, setAll] = useState(false);
  const [following, setFollowing] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const first = useFirst(lines);
  const height = useRef(0);
  const toTail = () => {
    if (!box.current) return;
    height.current = box.current.scrollHeight;
    box.current.scrollTop = height.current;
  };

  useLayoutEffect(() => {
    if (following) toTail();
  });

  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    // The lines were laid out anew, as where a phone is turned: nobody has scrolled.
    if (following && scrollHeight !== height.current) return toTail();
    setFollowing(scrollHeight - scrollTop - clientHeight < NEAR);
  };
  const { "aria-label": described, ...root } = useRoot(def, scope, "log");
  const shown = lines.slice(all ? -RING_SIZE : -SHOWN);
  const copy = () => lines.map((line) => lineText(line, def.textField)).join("\n");
  return (
    <section {...root}>
      <div class="g-head">
        {title && <h2 class="g-title">{title}</h2>}
        {lines.length > 0 && <CopyButton value={copy} />}
      </div>
      <div
        class="g-log-box"
        ref={box}
        role="log"
        aria-label={title || described || say.log}
        tabIndex={0}
        onScroll={scrolled}
      >
        {shown.length < lines.length && (
          <button type="button" class="g-button" data-variant="quiet" onClick={() => setAll(true)}>
            {say.showMore}
          </button>
        )}
        {lines.length === 0 && <p class="g-muted">{emptyText}</p>}
        {shown.map((line, index) => (
          <Line
            key={first + lines.length - shown.length + index}
            line={line}
            textField={def.textField}
            levelField={def.levelField}
            timeField={def.timeField}
            locale={locale}
          />
        ))}
      </div>
      {!following && (
        <button
          type="button"
          class="g-button g-to-tail"
          data-variant="default"
          onClick={() => setFollowing(true)}
        >
          {say.toTail}
        </button>
      )}
    </section>
  );
}

/**
 * The number of the first line since the log began: a line keeps its own, however many are
 * forgotten before it.
 */
function useFirst(lines: readonly Json[]): number {
  const last = useRef({ lines, first: 0 });
  if (last.current.lines !== lines) {
    const forgotten = lines.length > 0 ? last.current.lines.indexOf(lines[0]!) : 0;
    last.current = {
      lines,
      first: last.current.first + (forgotten < 0 ? last.current.lines.length : forgotten),
    };
  }
  return last.current.first;
}

interface LineProps {
  readonly line: Json;
  readonly textField?: string;
  readonly levelField?: string;
  readonly timeField?: string;
  readonly locale: string;
}

const Line = memo(function Line({ line, textField, levelField, timeField, locale }: LineProps) {
  const level = levelField ? shortName(text(own(line, levelField))) : "";
  const time = timeField ? own(line, timeField) : undefined;
  return (
    <div class="g-line" data-tone={level ? toneOf(level) : undefined}>
      {time !== undefined && time !== null && <time>{formatMoment(time, "clock", locale)}</time>}
      {level && <span class="g-level">{level}</span>}
      <span>
        <Whole text={lineText(line, textField)} letters={LETTERS} />
      </span>
    </div>
  );
});

function lineText(line: Json, field?: string): string {
  return text(field ? own(line, field) : line);
}

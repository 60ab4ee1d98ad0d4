// Progress: how far something is, and that it is done.

import { type ComponentProps, useDraw } from "../draw/context";
import { formatNumeral } from "../draw/format";
import { useText, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { guestStrings as say } from "../strings";
import { Bar } from "./kit/bar";
import { Icon } from "./kit/icons";
import { addStyles } from "./styles";
import css from "./styles/progress.css?inline";

addStyles(css);

export function Progress({ def, scope }: ComponentProps<"Progress">) {
  const { locale } = useDraw();
  const label = useText(def.label, scope);
  const value = useValue(def.value, scope);
  const max = Number(useValue(def.max, scope) ?? 100) || 100;
  const complete = useValue(def.complete, scope) === true;
  const known = typeof value === "number" && Number.isFinite(value);
  const share = complete ? 1 : known ? Math.min(Math.max(value / max, 0), 1) : 0;
  const shown = complete ? say.done : known ? `${formatNumeral(share * 100, locale, 0)} %` : "";
  return (
    <div {...useRoot(def, scope, "progress")} data-complete={complete}>
      <div class="g-progress-head">
        <span>{label}</span>
        <span class="g-muted">
          {complete && <Icon name="check" />} {shown}
        </span>
      </div>
      <Bar
        share={share}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={complete ? max : known ? value : undefined}
        aria-valuetext={shown || undefined}
      />
    </div>
  );
}

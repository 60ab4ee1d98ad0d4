// Metric: one number that matters, with the line of its recent past.

import { type ComponentProps, useDraw } from "../draw/context";
import { formatValue } from "../draw/format";
import { useText, useValue } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { Sparkline } from "./chart/sparkline";
import { addStyles } from "./styles";
import css from "./styles/metric.css?inline";

addStyles(css);

export function Metric({ def, scope }: ComponentProps<"Metric">) {
  const { locale } = useDraw();
  const label = useText(def.label, scope);
  const value = useValue(def.value, scope);
  const history = useValue(def.history, scope);
  const unit = useText(def.unit, scope);
  const values = (Array.isArray(history) ? history : [])
    .map((item) => (def.historyField ? own(item, def.historyField) : item))
    .filter((item): item is number => typeof item === "number");
  const present = value !== undefined && value !== null;
  return (
    <div {...useRoot(def, scope, "metric")}>
      <span class="g-metric-label">{label}</span>
      <span class="g-metric-value">
        {shortName(formatValue(value, def.format, locale))}
        {present && unit && <span class="g-metric-unit"> {unit}</span>}
      </span>
      {values.length > 1 && <Sparkline values={values} />}
    </div>
  );
}

// What a person does to a control so that its form can be sent: fields are filled with what fits.

/** What may be typed where nothing says more; the next one is tried where a form refuses the last. */
const TYPED = [
  "Northern light",
  "7",
  "AB12",
  "judge@example.org",
  "https://example.org/",
  "1",
  "12",
];
const BY_TYPE = {
  date: "2027-02-03",
  time: "09:30",
  "datetime-local": "2027-02-03T09:30",
  month: "2027-02",
  week: "2027-W05",
  email: "judge@example.org",
  url: "https://example.org/",
  tel: "+41445550123",
  color: "#336699",
};
/** The same, key by key, in the order of the parts that the browser shows in English. */
const BY_KEYS = {
  date: "02032027",
  time: "0930AM",
  "datetime-local": "020320270930AM",
  month: "February\t2027",
  week: "052027",
};

/** A string that fits a simple pattern: characters and classes of them, each with how often it stands there. */
function matching(pattern) {
  const parts = pattern
    .replace(/^\^|\$$/g, "")
    // Of alternatives the first.
    .replace(/\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)/g, "$1")
    .matchAll(/(\[[^\]]+\]|\\?.)(\{(\d+)(,\d*)?\}|[*+?])?/g);
  const text = [...parts].map(([, one, times, least]) => {
    const count = least ? Number(least) : times === "*" || times === "?" ? 0 : 1;
    const sample = /^(\[|\\[dw])/.test(one)
      ? [..."0aA1 +-"].find((letter) => new RegExp(`^${one}$`).test(letter))
      : one.replace("\\", "");
    return (sample ?? "").repeat(count);
  });
  return new RegExp(pattern, "u").test(text.join("")) ? text.join("") : undefined;
}

/** The strings that a contract gives as examples of what an action takes, and those that fit its patterns. */
export function samples(schema) {
  const examples = new Set();
  const fitting = new Set();
  const visit = (value) => {
    if (!value || typeof value !== "object") return;
    if (typeof value.pattern === "string") fitting.add(matching(value.pattern));
    for (const list of [value.examples, value.enum, [value.default, value.const]])
      if (Array.isArray(list))
        for (const one of list) if (typeof one === "string") examples.add(one);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(schema);
  fitting.delete(undefined);
  return { examples: [...examples], fitting: [...fitting] };
}

/** What several actions take. */
export const pooled = (pools) => ({
  examples: [...new Set(pools.flatMap(({ examples }) => examples))],
  fitting: [...new Set(pools.flatMap(({ fitting }) => fitting))],
});

/** What stands in a control, read in the page. */
export function describe(element) {
  const isBlank = ({ type, selectedOptions }) =>
    type === "checkbox" || type === "radio" || selectedOptions?.[0]?.text.startsWith("Choose");
  const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? "";
  const group = element.closest("fieldset, [role=radiogroup], [role=group]");
  return {
    tag: element.tagName,
    type: element.type ?? "",
    role: element.getAttribute("role"),
    name: (name || element.innerText || "").trim().slice(0, 60),
    action: element.dataset.action ?? element.dataset.confirm ?? null,
    popup: element.getAttribute("aria-haspopup"),
    pressed: element.getAttribute("aria-pressed"),
    expanded: element.getAttribute("aria-expanded"),
    off: element.disabled || element.getAttribute("aria-disabled") === "true",
    readonly: element.readOnly ?? false,
    value: isBlank(element) ? "" : (element.value ?? ""),
    checked: element.checked ?? false,
    someChecked: group?.querySelector("input:checked") != null,
    required: element.getAttribute("aria-required") === "true" || element.required === true,
    invalid: element.closest(".g-field")?.querySelector(".g-problem") != null,
    problem: element.closest(".g-field")?.querySelector(".g-problem")?.innerText ?? "",
    numeric: element.inputMode === "decimal" || element.inputMode === "numeric",
    least: element.min ?? "",
    inForm: element.closest("[data-form], dialog") != null,
    inDialog: element.closest("dialog") != null,
    submit: element.type === "submit",
    primary: element.dataset.variant === "primary",
    choice: element.matches("[data-choice], [role=option], [role=switch], [aria-pressed]"),
  };
}

/** What a field says is wrong with what stands there, heeded. */
function heeded({ problem, value }) {
  const [limit] = problem.match(/-?\d+(\.\d+)?/) ?? [];
  if (limit === undefined) return undefined;
  if (/at least \d+ char/i.test(problem)) return value.padEnd(Number(limit), "a");
  if (/char/i.test(problem)) return value.slice(0, Number(limit)).trim();
  if (/more than/i.test(problem)) return String(Number(limit) + 1);
  if (/less than/i.test(problem)) return String(Number(limit) - 1);
  if (/multiple of/i.test(problem))
    return String(Math.ceil(Number(value) / Number(limit) || 1) * Number(limit));
  return limit;
}

/** The text for a field at the given attempt. */
export function wording(control, pool, attempt) {
  if (BY_TYPE[control.type]) return BY_TYPE[control.type];
  const better = control.invalid && heeded(control);
  if (better) return better;
  if (control.numeric || control.type === "number")
    return ["1", "5", "20", "100", "0.5"][attempt % 5];
  const { examples, fitting } = pool;
  if (/form/.test(control.problem) && fitting.length > 0) return fitting[attempt % fitting.length];
  const all = [...TYPED.slice(0, 1), ...examples, ...TYPED.slice(1)];
  return all[attempt % all.length];
}

export const keysFor = (control, pool, attempt) =>
  BY_KEYS[control.type] ?? wording(control, pool, attempt);

// What can be told of a page by looking at it: texts, JSON, sideways scrolling, dialogs, axe.

/**
 * All text on the page, and what stands in its controls as a person reads it. A text that is compared
 * with another one is also read as it was, and as it is now.
 */
export function words() {
  const versions = [...document.querySelectorAll(":has(> del), :has(> ins)")].flatMap((both) =>
    ["del", "ins"].map((left) => {
      const one = both.cloneNode(true);
      for (const part of one.querySelectorAll(`${left}, .g-hidden`)) part.remove();
      return one.textContent;
    }),
  );
  const read = "input:not([type=color], [type=range], [type^=date]), textarea, select, img";
  const controls = [...document.querySelectorAll(read)].map((control) =>
    control.tagName === "SELECT"
      ? [...control.options].map((option) => option.label).join(" ")
      : (control.value ?? control.alt ?? ""),
  );
  return [document.body.innerText, ...versions, ...controls].join("\n");
}

/** Texts that are JSON: outside code and what somebody types. */
export function json() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (node.parentElement.closest("script, style, pre, code, textarea")) continue;
    if (text.includes("[object Object]")) found.push(text);
    if (!/^[[{].*[\]}]$/s.test(text)) continue;
    try {
      JSON.parse(text);
      found.push(text);
    } catch {
      // A text in brackets.
    }
  }
  return found;
}

/** By how many pixels the page scrolls sideways, and what sticks out. */
export function sideways() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return null;
  const out = [...document.body.querySelectorAll("*")].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
  );
  const names = out.map((element) => `${element.tagName}.${element.getAttribute("class")}`);
  return `${scrollWidth - clientWidth} px: ${names.slice(0, 4).join(" ")}`;
}

/** What is wrong with the dialog on top: outside the window, or buttons that cannot be pressed. */
export function dialogFaults() {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (!dialog) return [];
  const faults = [];
  const box = dialog.getBoundingClientRect();
  const { clientWidth: width } = document.documentElement;
  if (box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > width + 1)
    faults.push(`off screen: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  const buttons = [...dialog.querySelectorAll(".g-form-end > button, .g-dialog-buttons > button")];
  if (buttons.length === 0) faults.push("no buttons");
  for (const button of buttons) {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!at || !button.contains(at)) faults.push(`cannot be pressed: ${button.innerText.trim()}`);
  }
  if (dialog.scrollWidth > dialog.clientWidth) faults.push("scrolls sideways");
  return faults;
}

/** Headings and primary buttons: one h1, at most one primary button in sight that is not a form's own. */
export function hierarchy() {
  const faults = [];
  const heads = document.querySelectorAll("h1").length;
  if (heads !== 1) faults.push(`${heads} first headings`);
  const primary = [...document.querySelectorAll("main button[data-variant=primary]")].filter(
    (button) => !button.closest("dialog, form, tr, li, [data-record], [data-card]"),
  );
  if (primary.length > 1) faults.push(`${primary.length} primary buttons outside forms`);
  return faults;
}

/** Where the first primary button ends, in pixels from the top of the page. */
export function primaryEnd() {
  const button = document.querySelector("main button[data-variant=primary]");
  return button ? Math.round(button.getBoundingClientRect().bottom + scrollY) : null;
}

/** Inputs outside forms for slots that only say what a person does just now: a drag, a position. */
export function orphans(slots) {
  const STATE =
    /crosshair|dirty|drag|elapsed|expanded|hover|position|scroll|selected|unsaved|visited|volume|zoom/i;
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const states = slots.filter((name) => STATE.test(name)).map(plain);
  return [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
    .filter((input) => !input.closest("form, dialog, [data-form]"))
    .map((input) => input.getAttribute("aria-label") ?? input.labels?.[0]?.innerText ?? "")
    .filter((label) => states.includes(plain(label)));
}

/** Text boxes that ask for an id. */
export function typedIds() {
  return [...document.querySelectorAll("input[type=text], input:not([type])")]
    .map((input) => (input.labels?.[0]?.innerText ?? input.getAttribute("aria-label") ?? "").trim())
    .filter((label) => /(^|\s)(id|ids|uuid)(\s+optional)?$/i.test(label));
}

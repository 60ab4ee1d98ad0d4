// Walks through a page with one kind of input alone, until every action of its contract was sent.
import { keysFor, pooled, samples, wording } from "./operate.mjs";
import { settle } from "./page.mjs";

/** Everything a person may operate. */
const CONTROLS =
  "button, a[href^='#'], input:not([type=hidden]), select, textarea, summary, [role=treeitem], [role=tab], [tabindex='0']";
/** How often a form that refuses what was typed is tried again. */
const ATTEMPTS = 6;
/** How many stops of the Tab key a page may have; more of them say that the focus never comes round. */
const STOPS = 600;
/** How long a control that should be there may take, in milliseconds: what is covered or moving stays so. */
const PATIENCE = { timeout: 1000 };
/** What no walk presses: it leads away or back. */
const AWAY = /^(copy|cancel|close|go back|keep editing|discard|clear|delete|remove)\b/i;

/** What leads to the step before or to the next one, and how many steps there may be. */
const BACK = /^(previous|back)$/i;
const ONWARD = /^next$/i;
const STEPS = 12;

/** What an action takes of which the contract says nothing. */
const NOTHING = pooled([]);
const PICTURE = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("a") };

const dialogIsOpen = (page) =>
  page
    .locator("dialog[open]")
    .count()
    .then((count) => count > 0);

/** Closes what is open on top of a page, with what was typed there. */
export async function leave(page) {
  for (let tries = 0; tries < 4 && (await dialogIsOpen(page)); tries++) {
    await page.keyboard.press("Escape");
    await settle(page);
    const discard = page.locator("dialog[open] dialog[open] button[data-variant=primary]");
    if (await discard.count())
      await discard
        .first()
        .click(PATIENCE)
        .catch(() => {});
  }
}

/** Clicks a box where a person does: on its words, as many stand for a box that is not seen. */
async function tick(field) {
  const words = await field.evaluateHandle((input) => input.labels?.[0] ?? input);
  await words.click(PATIENCE);
}

/** Puts something into every field of a form that needs it, by mouse and typing. */
async function fillIn(root, pool, attempt) {
  // A list that is empty, and may not be.
  for (const more of await root.$$(".g-field:has(> .g-problem) > .g-rows > button:last-child"))
    await more.click(PATIENCE).catch(() => {});
  for (const field of await root.$$("input:not([type=hidden]), select, textarea")) {
    const control = await field
      .evaluate((element) => globalThis.judged(element))
      .catch(() => undefined);
    if (!control || control.off || control.readonly) continue;
    const needs = control.invalid || (attempt === 0 && !control.value);
    const act = async () => {
      if (control.type === "radio") {
        if (!control.someChecked) await tick(field);
      } else if (control.type === "checkbox") {
        // Of several one is enough, unless the form says otherwise.
        const isOpen = !control.someChecked || control.required || control.invalid;
        if (!control.checked && isOpen && (attempt === 0 || control.invalid)) await tick(field);
      } else if (control.type === "file") {
        await field.setInputFiles(PICTURE);
      } else if (control.tag === "SELECT") {
        if (control.value && !control.invalid) return;
        const value = await field.evaluate(
          (select) =>
            [...select.options].find(
              ({ value, text, disabled }) => value && !disabled && !text.startsWith("Choose"),
            )?.value,
        );
        if (value) await field.selectOption(value, PATIENCE);
      } else if (needs && control.type !== "range") {
        await field.fill(wording(control, pool, attempt), PATIENCE);
      }
    };
    await act().catch(() => {});
  }
}

/** Fills in the open dialog or form and sends it. */
async function sendForm(page, root, pool, sent, action, onGrown) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await fillIn(root, pool, attempt);
    if (attempt === 1) await onGrown?.();
    // A wizard goes on by its own button until it can be sent.
    for (let steps = 0; steps < STEPS; steps++) {
      const next = await root.$(".g-form-end > button:not([data-action])[data-variant=primary]");
      if (!next) break;
      await next.click(PATIENCE).catch(() => {});
      await settle(page);
      // Whoever is at the second step may go back once more.
      const back = steps === 0 && (await root.$(".g-form-end > button[type=button]"));
      if (back && BACK.test((await back.innerText().catch(() => "")).trim())) {
        await back.click(PATIENCE).catch(() => {});
        await settle(page);
      }
      await fillIn(root, pool, attempt);
    }
    const button = await root.$(
      "button[type=submit], button[data-confirm], button[data-variant=primary]",
    );
    if (!button) return;
    await button.click(PATIENCE).catch(() => {});
    await settle(page);
    await confirm(page);
    if (sent.has(action) || !(await root.evaluate((node) => node.isConnected).catch(() => false)))
      return;
  }
}

/** Whether the page offers one of some actions. */
const isOffered = (page, actions) =>
  page.evaluate((actions) => {
    const offered = document.querySelectorAll("[data-action]:not([aria-disabled=true])");
    return [...offered].some(({ dataset }) => actions.includes(dataset.action));
  }, actions);

/** What can be operated, in the order of the page. */
const listed = (selector) =>
  [...document.querySelectorAll(selector)].map((element) => ({
    ...globalThis.judged(element),
    visible: element.checkVisibility(),
  }));

async function confirm(page) {
  const yes = page.locator("dialog[open] [data-confirm]");
  if (await yes.count())
    await yes
      .last()
      .click(PATIENCE)
      .catch(() => {});
  await settle(page);
}

/** By mouse. `seen` is told of every dialog that opens. */
export async function byMouse(page, entry, sent, seen) {
  const wanted = Object.keys(entry.contract.actionSpec ?? {});
  const missing = () => wanted.filter((name) => !sent.has(name));
  const pools = Object.fromEntries(
    wanted.map((name) => [name, samples(entry.contract.actionSpec[name])]),
  );
  const handled = new Set();
  const press = async (handle, action) => {
    // What is asked for in the row of the button.
    const row = (await handle.evaluateHandle((button) => button.closest("form"))).asElement();
    if (row) await fillIn(row, pools[action] ?? NOTHING, 0);
    await handle.click(PATIENCE).catch(() => {});
    await settle(page);
    if (!(await dialogIsOpen(page))) return;
    const dialog = await page.$("dialog[open]");
    await seen(action);
    if (action && !sent.has(action))
      await sendForm(page, dialog, pools[action] ?? NOTHING, sent, action, () => seen(action));
    await leave(page);
  };
  // What names its action first; then whatever opens more of the page.
  for (let round = 0; round < 3 && missing().length > 0; round++) {
    for (const action of missing()) {
      const name = JSON.stringify(action);
      for (const form of await page.$$(`[data-form=${name}]`)) {
        if (sent.has(action) || !(await form.isVisible())) continue;
        await sendForm(page, form, pools[action], sent, action);
      }
      for (const button of (await page.$$(`[data-action=${name}]`)).slice(0, 6)) {
        if (sent.has(action)) break;
        if (await button.isVisible().catch(() => false)) await press(button, action);
      }
    }
    if (missing().length === 0) break;
    const handles = await page.$$(CONTROLS);
    const controls = await page.evaluate(listed, CONTROLS);
    for (const [at, control] of controls.entries()) {
      const handle = handles[at];
      if (!handle || control.off || !control.visible || missing().length === 0) continue;
      const key = `${control.tag} ${control.type} ${control.role} ${control.name}`;
      if (handled.has(key) || control.action || AWAY.test(control.name)) continue;
      handled.add(key);
      if (control.tag === "SELECT") {
        await handle
          .evaluate(
            (select) =>
              [...select.options].findLast((option) => option.value && !option.disabled)?.value,
          )
          .then((value) => value && handle.selectOption(value, PATIENCE))
          .catch(() => {});
        await settle(page);
        await confirm(page);
      } else if (["text", "number", "search", "date", "time", "textarea"].includes(control.type)) {
        if (control.inForm || control.type === "search") continue;
        await handle.fill(wording(control, NOTHING, 0), PATIENCE).catch(() => {});
        await page.keyboard.press("Enter");
        await settle(page);
      } else {
        const isStep = BACK.test(control.name) || ONWARD.test(control.name);
        // The name of a branch stands at its beginning, and its own branches below it.
        const at = control.role === "treeitem" ? { position: { x: 40, y: 12 } } : {};
        for (let steps = isStep ? STEPS : 1; steps > 0; steps--) {
          await handle.click({ ...PATIENCE, ...at }).catch(() => (steps = 0));
          await settle(page);
        }
        if (await dialogIsOpen(page)) {
          await seen();
          const inside = await page.$$eval("dialog[open] [data-action]", (buttons) =>
            buttons.map((button) => button.dataset.action),
          );
          for (const action of new Set(inside)) {
            if (sent.has(action)) continue;
            const button = await page.$(`dialog[open] [data-action=${JSON.stringify(action)}]`);
            await button?.click(PATIENCE).catch(() => {});
            await settle(page);
            await confirm(page);
            const top = (await page.$$("dialog[open]")).at(-1);
            if (top && !sent.has(action))
              await sendForm(page, top, pools[action] ?? NOTHING, sent, action);
            if (!(await dialogIsOpen(page))) await handle.click(PATIENCE).catch(() => {});
          }
          await leave(page);
        } else {
          for (const action of missing()) {
            const name = JSON.stringify(action);
            for (const form of await page.$$(`[data-form=${name}]`))
              if (await form.isVisible()) await sendForm(page, form, pools[action], sent, action);
            const button = await page.$(`button[data-action=${name}]`);
            if (button && !sent.has(action) && (await button.isVisible().catch(() => false)))
              await press(button, action);
          }
        }
      }
    }
  }
  return missing();
}

/** With the keyboard alone: Tab from stop to stop, and the keys that operate what has the focus. */
export async function byKeyboard(page, entry, sent) {
  const wanted = Object.keys(entry.contract.actionSpec ?? {});
  const missing = () => wanted.filter((name) => !sent.has(name));
  const pools = Object.fromEntries(
    wanted.map((name) => [name, samples(entry.contract.actionSpec[name])]),
  );
  const pool = pooled(Object.values(pools));
  const pressed = new Map();
  let turned = 0;
  let done = -1;
  await page.evaluate(() => document.activeElement?.blur());
  const at = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      const isNew = at !== globalThis.last && at !== document.body;
      globalThis.last = at;
      return [isNew, at && at !== document.body ? globalThis.judged(at) : null];
    });
  for (let stops = 0; stops < STOPS && missing().length > 0; stops++) {
    // Where the page itself has taken the focus, to a dialog or to what is missing, one goes on from there.
    let [isTaken, focused] = await at();
    if (!isTaken) {
      await page.keyboard.press("Tab");
      [, focused] = await at();
    }
    if (!focused) {
      // Round once; what was typed may make a second round send more, and what is done with is left.
      const now = [...pressed.values()].reduce((sum, times) => sum + times, sent.size);
      const inside = await page.$$eval("dialog[open] [data-action]", (buttons) =>
        buttons.map((button) => button.dataset.action),
      );
      const isOver = now === done || !inside.some((action) => missing().includes(action));
      const isOpen = await dialogIsOpen(page);
      if (isOpen && isOver) await leave(page);
      else if (now === done) break;
      if (++turned > 2 * ATTEMPTS) break;
      done = isOpen && isOver ? -1 : now;
      continue;
    }
    if (focused.off) continue;
    const key = `${focused.tag} ${focused.type} ${focused.role} ${focused.name} ${focused.action} ${focused.inDialog}`;
    const times = pressed.get(key) ?? 0;
    const again = (most) => {
      pressed.set(key, times + 1);
      return times < most;
    };
    const tap = async (name) => {
      await page.keyboard.press(name);
      await settle(page);
    };
    if (focused.tag === "SELECT") {
      const own = !focused.inForm;
      if ((!focused.value || focused.invalid || own) && again(own ? 2 : ATTEMPTS))
        await tap("ArrowDown");
    } else if (focused.type === "radio") {
      if (!focused.someChecked && again(ATTEMPTS)) await tap("Space");
      else if (!focused.inForm && again(2)) await tap("ArrowDown");
    } else if (focused.type === "checkbox") {
      const isOpen = !focused.someChecked || focused.required || focused.invalid || !focused.inForm;
      if (!focused.checked && isOpen && again(ATTEMPTS)) await tap("Space");
      else if (!focused.inForm && again(1)) await tap("Space");
    } else if (focused.type === "range") {
      if (again(1)) await tap("ArrowRight");
    } else if (focused.type === "file") {
      if (again(1)) await page.locator(":focus").setInputFiles(PICTURE);
    } else if (["INPUT", "TEXTAREA"].includes(focused.tag)) {
      if (focused.readonly || focused.type === "search") continue;
      if ((!focused.value || focused.invalid || !focused.inForm) && again(ATTEMPTS)) {
        if (focused.value && !(focused.type in { date: 1, time: 1 }))
          await page.keyboard.press("Control+A");
        await page.keyboard.type(keysFor(focused, pool, focused.invalid ? times : 0));
        if (!focused.inForm && focused.tag === "INPUT") await tap("Enter");
      }
    } else if (focused.action) {
      if (!sent.has(focused.action) && again(ATTEMPTS * 2)) await tap("Enter");
    } else if (focused.pressed !== null && (await isOffered(page, missing()))) {
      // What is chosen offers what is still missing: nothing else is chosen before that is sent.
    } else if (focused.tag === "BUTTON" || focused.tag === "SUMMARY" || focused.tag === "A") {
      // One goes on through steps, but adds no more entries than are asked for.
      const isMore = /^add /i.test(focused.name) && !/at least/.test(focused.problem);
      const isOn = focused.inDialog || focused.primary || ONWARD.test(focused.name);
      const goes = isOn && !isMore ? STEPS : 1;
      if (BACK.test(focused.name)) {
        // Once all the way to the first step, as far as the button is there.
        let isThere = again(1);
        for (let steps = 0; isThere && steps < STEPS; steps++) {
          await tap("Enter");
          const [, now] = await at();
          isThere = now !== null && BACK.test(now.name);
        }
      } else if (!AWAY.test(focused.name) && again(goes)) {
        await tap("Enter");
      }
    } else if (focused.role === "treeitem") {
      // One item further each time that one comes round, unless this one offers what is missing.
      if (!(await isOffered(page, missing())) && again(STEPS)) {
        await tap("Enter");
        if (!(await isOffered(page, missing()))) await tap("ArrowDown");
      }
    } else if (again(1)) {
      // Cards and cells are walked by arrows and opened by Enter.
      for (const name of ["Enter", "ArrowDown", "ArrowRight", "Space"]) await tap(name);
    }
  }
  await leave(page);
  return missing();
}

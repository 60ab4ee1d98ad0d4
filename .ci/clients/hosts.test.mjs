// Every journey of a person in every host of the guest, in a real browser, against the real server:
// what the person sees, what reaches the agent, what reaches the host.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { agentOf, launch, mount, shown } from "./hosts/mounts.mjs";
import { servePages } from "./hosts/pages.mjs";
import { press } from "../../web-host/tests/e2e/press.mjs";
import { PATIENCE, startServer } from "./world.mjs";

const CODES = /[A-Z]+_[A-Z]+|-32\d{3}/;
const names = { bridge: "an AppBridge host", renderer: "AppRenderer", stage: "the stage", plain: "a plain iframe" };
const isChat = ({ kind }) => kind === "bridge" || kind === "renderer";

const world = {};
before(async () => {
  world.pages = await servePages();
  world.browser = await launch();
});
after(async () => {
  await world.browser?.close();
  world.pages?.close();
});

const picture = (host, name) => process.env.SCREENSHOTS && host.page.screenshot({ path: `${process.env.SCREENSHOTS}/${host.kind}-${name}.png` });
const approve = (host) => host.guest.getByRole("button", { name: "Approve" });
const status = (host, text) => host.guest.locator(".g-status", { hasText: text }).first().waitFor();
/** Has the page write down on itself what its status says from now on. */
const remember = (host) =>
  host.guest.locator("body").evaluate((body) => {
    const note = () => {
      for (const one of body.querySelectorAll(".g-status"))
        if (one.checkVisibility()) body.dataset.said = `${body.dataset.said ?? ""} ${one.textContent}`;
    };
    new MutationObserver(note).observe(body, { subtree: true, childList: true, characterData: true });
  });
const remembered = (host, text) => host.guest.locator(`body[data-said*="${text}"]`).waitFor();
/** A mark that a reload would wipe out. */
const mark = (host) => host.guest.locator("body").evaluate(() => (globalThis.__kept = true));
const isKept = (host) => host.guest.locator("body").evaluate(() => globalThis.__kept === true);
/** Whether what is shown was ever narrowed by a scroll bar of its own. */
const hadScrollBar = (host) => host.guest.locator("html").evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(globalThis.hadScrollBar)))));

const journeys = {
  async "is drawn, live, and without a mistake"(host) {
    await host.guest.getByText("Ten percent off").waitFor();
    if (isChat(host)) {
      const { initialized } = await host.seen();
      assert.equal(initialized.app.name, "proscenium-guest");
      assert.ok(initialized.capabilities.availableDisplayModes.includes("inline"));
    }
    await picture(host, "light");
    assert.deepEqual(host.problems, []);
  },

  async "hands a click to an agent that waits, says each step of it, and is repainted without a reload"(host) {
    await mark(host);
    const waiting = host.agent.consume(host.sessionId);
    await press(approve(host));
    const { events } = await waiting;
    assert.deepEqual(events.map((event) => event.intent), ["approve"]);
    await status(host, "Received");
    // It stands for a moment only, which a busy machine may miss: the page itself remembers it.
    await remember(host);
    await host.agent.amend(host.sessionId, { title: "Approved" });
    await Promise.all([remembered(host, "Answered"), host.guest.getByText("Approved", { exact: true }).waitFor()]);
    assert.ok(await isKept(host));
    if (isChat(host)) assert.deepEqual((await host.seen()).messages, []);
  },

  async "rings where a click finds no agent waiting; the click is kept, and told to the model until the agent has it"(host) {
    await press(approve(host));
    await status(host, "Sent");
    if (isChat(host)) {
      await host.until((seen) => seen.messages.length === 1);
      const [message] = (await host.seen()).messages;
      assert.equal(message.role, "user");
      assert.match(message.content[0].text, /ggui_consume/);
      assert.ok(message.content[0].text.includes(host.sessionId));
      await host.until((seen) => seen.contexts.some(([text]) => text?.startsWith('[ggui:pending-action] {"actionId"')));
    } else if (host.kind === "stage") await host.page.locator("[data-kind='rings']").waitFor();
    const { events } = await host.agent.consume(host.sessionId, 0);
    assert.equal(events.length, 1);
    if (isChat(host)) await host.until((seen) => seen.contexts.at(-1)?.length === 0);
  },

  async "tells the model what is typed beside the actions"(host) {
    await host.guest.getByLabel("Remark").fill("less red");
    if (!isChat(host)) {
      // No model here: it goes with the next action.
      await press(approve(host));
      const { events } = await host.agent.consume(host.sessionId);
      return assert.deepEqual(events[0].uiContext, { remark: "less red" });
    }
    await host.until((seen) => seen.contexts.at(-1)?.[0] === '[ggui:context] {"snapshot":{"remark":"less red"}}');
  },

  async "shows the lines an agent emits, in order"(host) {
    for (const line of ["first line", "second line"]) await host.agent.say(host.sessionId, line);
    await host.guest.getByRole("log").getByText("second line").waitFor();
    assert.deepEqual((await host.guest.getByRole("log").innerText()).match(/\w+ line/g), ["first line", "second line"]);
  },

  async "says in a sentence that an action was not accepted, and tells who watches"(host) {
    await press(host.guest.getByRole("row", { name: /Nine/ }).getByRole("button", { name: "Pick" }));
    await host.guest.getByText("This was not accepted.").first().waitFor();
    assert.doesNotMatch(await host.guest.locator("main").innerText(), CODES);
    if (isChat(host)) await host.until((seen) => seen.observed.includes("contract-violation"));
    else if (host.kind === "stage") await host.page.locator("[data-kind='violation'], [data-kind='contract-violation']").first().waitFor();
    const { events } = await host.agent.consume(host.sessionId, 0);
    assert.deepEqual(events, []);
  },

  async "keeps a click while the connection is away, and catches up when it is back"(host) {
    await host.cut();
    await press(approve(host));
    await host.agent.say(host.sessionId, "said meanwhile");
    host.heal();
    await host.guest.getByRole("log").getByText("said meanwhile").waitFor();
    const { events } = await host.agent.consume(host.sessionId);
    assert.deepEqual(events.map((event) => event.intent), ["approve"]);
    assert.deepEqual((await host.agent.consume(host.sessionId, 0)).events, []);
  },

  async "stays what it was when something newer is shown, where it is history; else it follows"(host) {
    await host.agent.update(host.sessionId, { title: "Twenty percent off" });
    if (!isChat(host)) return host.guest.getByText("Twenty percent off").waitFor();
    await host.guest.getByText("This is an earlier version.").waitFor();
    await host.guest.getByText("Ten percent off").waitFor();
    await picture(host, "frozen");
  },

  async "asks for a sign-in with the host that is opened, and never opens it by itself"(host) {
    await host.agent.call("ggui_request_auth", { sessionId: host.sessionId, provider: "example", displayName: "Example", authUrl: "https://id.example/login" });
    const button = host.guest.getByRole("button", { name: "Sign in at id.example" });
    await button.waitFor();
    await picture(host, "sign-in");
    await press(button);
    await asked(host, "https://id.example/login");
    if (host.kind === "stage") await host.page.locator("[data-kind='auth-required'] a[href='https://id.example/login']").waitFor();
  },

  async "opens a link only through the host, which asks"(host) {
    await press(host.guest.locator("a[href='https://shop.example/offer']").first());
    await asked(host, "https://shop.example/offer");
  },

  async "grows with what it shows"(host) {
    const frame = host.page.locator(host.frame ?? "#app iframe");
    if (isChat(host)) await host.until((seen) => seen.sizes.length > 0);
    const before = (await frame.boundingBox()).height;
    await host.agent.amend(host.sessionId, { lines: Array.from({ length: 40 }, (_, index) => `Line ${index}`) });
    await host.guest.getByText("Line 39").waitFor();
    if (host.kind === "plain") {
      // Nobody makes room: what does not fit is scrolled to.
      await host.guest.locator("html:not([data-grows])").waitFor();
      assert.ok(await hadScrollBar(host));
      await host.guest.getByText("Line 39").scrollIntoViewIfNeeded();
      return assert.equal((await frame.boundingBox()).height, before);
    }
    await host.page.waitForFunction(([selector, height]) => document.querySelector(selector).getBoundingClientRect().height > height + 100, [host.frame ?? "#app iframe", before]);
    const inner = await host.guest.locator("main").evaluate((main) => main.getBoundingClientRect().height);
    assert.ok(Math.abs((await frame.boundingBox()).height - inner) <= 2);
    assert.ok(!(await hadScrollBar(host)), "not even while it grew");
  },

  async "wears the host's theme, variables and fonts, and follows them"(host) {
    const root = host.guest.locator("html");
    if (host.kind === "plain") {
      await host.page.emulateMedia({ colorScheme: "dark" });
      const dark = () => host.guest.locator("body").evaluate((body) => getComputedStyle(body).color);
      return assert.notEqual(await dark(), "rgb(26, 28, 35)");
    }
    if (host.kind === "stage") {
      await root.and(host.guest.locator('[data-theme="light"]')).waitFor();
      await press(host.page.getByRole("button", { name: "System theme" }));
      await press(host.page.getByRole("button", { name: "Light theme" }));
      return host.guest.locator('html[data-theme="dark"]').waitFor();
    }
    const fonts = '@font-face { font-family: "Host Sans"; src: url(data:font/woff2;base64,AA==) } body { display: none }';
    const context = { theme: "dark", locale: "de-DE", displayMode: "inline", styles: { variables: { "--color-background-primary": "#101418", "--font-sans": '"Host Sans", sans-serif' }, css: { fonts } } };
    await host.notify("context", context);
    await host.guest.locator('html[data-theme="dark"][lang="de-DE"]').waitFor();
    const worn = await root.evaluate((element) => [getComputedStyle(element).getPropertyValue("--color-background-primary"), getComputedStyle(document.body).fontFamily.split(",")[0], getComputedStyle(document.body).display, [...document.fonts].some(({ family }) => family.includes("Host Sans"))]);
    assert.deepEqual(worn, ["#101418", '"Host Sans"', "block", true]);
    await picture(host, "dark");
    await host.notify("context", { ...context, theme: "light" });
    await host.guest.locator('html[data-theme="light"]').waitFor();
  },

  async "fills the screen where the host gives it, and only then"(host) {
    const button = host.guest.getByRole("button", { name: "Fill the screen" });
    if (host.kind === "plain") return assert.equal(await button.count(), 0);
    if (host.kind === "stage") {
      await press(button);
      await host.page.locator("[data-fills='true'] iframe").waitFor();
      await host.guest.locator('html[data-display-mode="fullscreen"]').waitFor();
      await picture(host, "fullscreen");
      // The stage keeps the way back for itself.
      await press(host.page.getByRole("button", { name: "Back to the stage" }));
      return host.guest.locator('html[data-display-mode="inline"]').waitFor();
    }
    assert.equal(await button.count(), 0, "nobody offered it");
    await host.notify("context", { displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"], safeAreaInsets: { top: 30, right: 0, bottom: 0, left: 0 } });
    await press(button);
    // AppRenderer has no way to be asked: its application alone decides.
    if (host.kind === "bridge") await host.until((seen) => seen.modes.at(-1) === "fullscreen");
    await host.notify("context", { displayMode: "fullscreen", availableDisplayModes: ["inline", "fullscreen"], safeAreaInsets: { top: 30, right: 0, bottom: 0, left: 0 } });
    await host.guest.locator('html[data-display-mode="fullscreen"]').waitFor();
    const [fills, inset] = await host.guest.locator("main").evaluate((main) => [main.getBoundingClientRect().height >= innerHeight, parseFloat(getComputedStyle(main).paddingTop)]);
    assert.ok(fills && inset >= 46, `${fills} ${inset}`);
    await picture(host, "fullscreen");
    await host.notify("context", { displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] });
    await host.guest.locator('html[data-display-mode="inline"]').waitFor();
  },

  async "leaves the live channel when it is taken down"(host) {
    assert.equal(host.sockets(), 1);
    if (isChat(host)) {
      await host.notify("teardown");
      return host.guest.locator('main[data-live="ended"]').waitFor();
    }
    await host.page.locator(host.frame).evaluate((frame) => frame.remove());
    const given = Date.now() + PATIENCE;
    while (host.sockets() > 0 && Date.now() < given) await host.page.waitForTimeout(50);
    assert.equal(host.sockets(), 0);
  },
};

/** The host was told of an address; the person is asked, or reads where it leads. */
async function asked(host, url) {
  if (isChat(host)) return host.until((seen, url) => seen.links.some((link) => link.url === url), url);
  const pages = host.page.context().pages().length;
  if (host.kind === "stage") {
    const dialog = host.page.getByRole("dialog");
    await dialog.getByText(url).waitFor();
    await picture(host, "link");
    await press(dialog.getByRole("button", { name: "Cancel" }));
    await dialog.waitFor({ state: "detached" });
  } else {
    await host.guest.getByRole("status").getByText(url).waitFor();
    await picture(host, "link");
  }
  assert.equal(host.page.context().pages().length, pages, "nothing was opened");
}

// AppRenderer waits ten seconds for a sandbox page that is missing: the others go on meanwhile.
describe("hosts", { concurrency: 3 }, () => {
  for (const [kind, name] of Object.entries(names)) {
    describe(`the guest in ${name}`, () => {
      const here = {};
      before(async () => Object.assign(here, world, { server: await startServer() }));
      after(() => here.server.stop());

      for (const [title, journey] of Object.entries(journeys)) {
        test(title, async () => {
          const host = await shown(kind, here);
          await journey(host);
          await host.close();
        });
      }

      test("says in a sentence, without a code, that a session has ended", async (t) => {
        const server = await startServer({ SESSIONS_IDLE_TTL_S: 12 });
        t.after(() => server.stop());
        const host = await shown(kind, { ...here, server }, { isShort: true });
        await host.guest.getByText("Your session expired.").waitFor();
        assert.doesNotMatch(await host.guest.locator("main").innerText(), CODES);
        if (isChat(host)) {
          // The same result, mounted again when the session is gone: a chat that was opened a day later.
          const again = await mount(kind, { ...here, server });
          await again.opened;
          await again.until((seen) => seen.initialized !== null);
          await again.notify("result", host.result);
          await again.guest.getByText("Your session expired.").waitFor();
          assert.doesNotMatch(await again.guest.locator("main").innerText(), CODES);
          await picture(again, "expired");
          await again.page.context().close();
        }
        await host.close();
      });
    });
  }

  for (const kind of ["bridge", "renderer"]) {
    describe(`what only a chat asks of the guest, in ${names[kind]}`, () => {
      const here = {};
      before(async () => Object.assign(here, world, { server: await startServer() }));
      after(() => here.server.stop());

      test("works where nothing but the host can be reached: clicks and answers travel through its tools", async () => {
        const host = await shown(kind, here, { csp: {} });
        await press(approve(host));
        await host.until((seen) => seen.calls.includes("ggui_runtime_submit_action"));
        await host.until((seen) => seen.messages.length === 1);
        const { events } = await host.agent.consume(host.sessionId, 0);
        assert.deepEqual(events.map((event) => event.intent), ["approve"]);
        await host.agent.amend(host.sessionId, { title: "Approved" });
        await host.guest.getByText("Approved", { exact: true }).waitFor();
        await host.close();
      });

      test("reads the render through the host when that hands on no _meta", async () => {
        const agent = await agentOf(here.server);
        const { input, result } = await agent.render();
        const host = await mount(kind, here);
        await host.opened;
        await host.until((seen) => seen.initialized !== null);
        const { content, structuredContent } = result;
        await host.notify("input", input);
        await host.notify("result", { content, structuredContent });
        await host.guest.getByRole("heading", { level: 1 }).waitFor();
        await host.live();
        await host.page.context().close();
        await agent.close();
      });
    });
  }

  describe("AppRenderer tells its application", () => {
    const here = {};
    before(async () => Object.assign(here, world, { server: await startServer() }));
    after(() => here.server.stop());

    const missing = {
      "the sandbox page": { given: () => ({ sandbox: here.pages.sandbox.replace("sandbox.html", "missing.html") }), told: /sandbox/i },
      "the tool": { given: () => ({ tool: { toolName: "ggui_nothing" } }), told: /ggui_nothing not found/ },
      "the page of the tool": { given: () => ({ tool: { toolName: "ggui_list_sessions" } }), told: /no UI resource/ },
      "the page of the runtime": { given: () => ({ tool: { toolResourceUri: "ui://proscenium/nothing" } }), told: /not found/i },
      "the render": { given: () => ({ tool: { toolResourceUri: "ui://ggui/render/sess_00000000000000000000000000" } }), told: /no durable record/ },
    };
    for (const [what, { given, told }] of Object.entries(missing)) {
      test(`when ${what} is missing`, async () => {
        const host = await mount("renderer", here, given());
        await host.opened;
        await host.until((seen) => seen.errors.length > 0);
        const { errors, initialized } = await host.seen();
        assert.match(errors[0], told);
        assert.equal(initialized, null);
        await host.page.context().close();
      });
    }
  });
});

// The agents in examples/, run as their first lines say, with a person who does something.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { keysFile, Person, startServer, within } from "./world.mjs";

const root = new URL("../..", import.meta.url).pathname;
let server;
before(async () => (server = await startServer()));
after(() => server.stop());

const typescript = ["npm", "--prefix", `${root}/examples`, "run", "--silent", "agent", "--"];
const python = [process.env.PYTHON, `${root}/examples/agent.py`];

/** An agent's process: its lines as they come, and how it ends. */
function start(command, ...more) {
  const [program, ...args] = [...command, ...more];
  const agent = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const out = [];
  const errors = [];
  const waiting = [];
  createInterface({ input: agent.stdout }).on("line", (line) => {
    out.push(line);
    for (const look of waiting) look();
  });
  createInterface({ input: agent.stderr }).on("line", (line) => errors.push(line));
  const ended = new Promise((resolve) => agent.once("close", resolve));
  const says = (pattern, times = 1) => {
    const said = new Promise((resolve, reject) => {
      const look = () => {
        const matches = out.map((line) => pattern.exec(line)).filter(Boolean);
        if (matches.length >= times) resolve(matches[times - 1]);
      };
      waiting.push(look);
      look();
      ended.then(() => reject(new Error(`it ended without saying ${pattern}: ${[...out, ...errors].join("\n")}`)));
    });
    return within(said, `a line that fits ${pattern}`);
  };
  return { out, errors, says, ended: within(ended, "the agent's end") };
}

const args = ["--rounds", "1"];
const tsx = `${root}/examples/node_modules/.bin/tsx`;

// Most of their time they wait: for a person, for a limit, for the end of a session.
describe("the agents in examples/", { concurrency: 2 }, () => {
  for (const [language, ...command] of [
    ["TypeScript", tsx, `${root}/examples/quickstart.mts`],
    ["Python", process.env.PYTHON, `${root}/examples/quickstart.py`],
    ["Rust", process.env.QUICKSTART],
  ]) {
    test(`the quickstart in ${language} asks for a name, greets and ends`, async () => {
      const agent = start(command, server.mcpUrl);
      const [, viewerUrl] = await agent.says(/^open (\S+)$/);
      const person = await Person.at(viewerUrl);
      assert.equal((await person.does("greet", { name: "Ada" })).type, "ack");
      await person.sees(({ type, payload }) => type === "props_update" && payload.props.line === "Hello, Ada!");
      person.leaves();
      assert.equal(await agent.ended, 0, agent.errors.join("\n"));
    });
  }

  test("examples/README.md shows the quickstarts as they are", async () => {
    const page = await readFile(`${root}/examples/README.md`, "utf8");
    for (const file of ["quickstart.rs", "quickstart.mts", "quickstart.py"]) {
      assert.ok(page.includes(`\n${await readFile(`${root}/examples/${file}`, "utf8")}\`\`\`\n`), `${file} is not there, or is another one`);
    }
  });

  for (const [name, command, action, data, props, item] of [
    ["agent.ts", typescript, "finish", { id: "s2" }, ({ steps }) => steps[1].state === "done", "Done: Changelog is written"],
    ["agent.py", python, "vote", { option: "Pizza" }, ({ result }) => result[1].votes === 1, { votes: 1 }],
  ]) {
    test(`${name} shows a UI, takes what the person does, repaints it, streams a line and ends`, async () => {
      const agent = start(command, "--url", server.mcpUrl, ...args);
      const [, viewerUrl] = await agent.says(/^shown at (\S+)$/);
      const person = await Person.at(viewerUrl);
      assert.equal((await person.does(action, data)).type, "ack");
      await person.sees((frame) => frame.type === "props_update" && props(frame.payload.props));
      await person.sees(() => person.streamed().length === 1);
      assert.deepEqual(person.streamed(), [item]);
      person.leaves();
      assert.equal(await agent.ended, 0, agent.errors.join("\n"));
      assert.deepEqual(agent.errors, []);
    });

    test(`${name} shows its UI again when the session has ended`, async (t) => {
      const short = await startServer({ SESSIONS_IDLE_TTL_S: 2 });
      t.after(() => short.stop());
      const agent = start(command, "--url", short.mcpUrl, ...args);
      await agent.says(/^shown at (\S+)$/);
      // On a busy machine, a person may come too late for one that is shown again: there is a next one.
      const acts = async (link) => {
        const person = await Person.at(link);
        assert.equal((await person.does(action, data)).type, "ack");
        return person;
      };
      let person;
      for (let shown = 2; !person; shown++) {
        const [, again] = await agent.says(/^shown at (\S+)$/, shown);
        person = await acts(again).catch(() => undefined);
      }
      assert.equal(await agent.ended, 0, agent.errors.join("\n"));
      person.leaves();
    });

    test(`${name} waits as long as the server asks before it calls again`, async (t) => {
      const strict = await startServer({ EMITS_PER_SECOND: 1, EMITS_BURST: 1 });
      t.after(() => strict.stop());
      const agent = start(command, "--url", strict.mcpUrl, "--rounds", "3");
      const [, viewerUrl] = await agent.says(/^shown at (\S+)$/);
      const person = await Person.at(viewerUrl);
      const begun = performance.now();
      for (let click = 0; click < 3; click++) await person.does(action, data);
      assert.equal(await agent.ended, 0, agent.errors.join("\n"));
      // The second and the third line had to wait a second each, and none was lost.
      assert.ok(performance.now() - begun > 1500);
      await person.sees(() => person.streamed().length === 3);
      person.leaves();
    });

    test(`${name} says in a sentence without a code what went wrong`, async (t) => {
      const locked = await startServer({}, ["--keys-file", await keysFile()]);
      t.after(() => locked.stop());
      const refused = start(command, "--url", locked.mcpUrl, "--key", "not-a-key");
      const unreachable = start(command, "--url", "http://127.0.0.1:9/mcp");
      assert.equal(await refused.ended, 1);
      assert.deepEqual(refused.errors, ["Authentication failed — contact support."]);
      assert.equal(await unreachable.ended, 1);
      assert.equal(unreachable.errors[0], "The server is temporarily unavailable.");
    });

    test(`${name} explains itself`, async () => {
      const agent = start(command, "--help");
      assert.equal(await agent.ended, 0);
      assert.match(agent.out.join("\n"), /--rounds N/);
    });
  }
});

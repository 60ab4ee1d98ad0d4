// The MCP Inspector's command line: what a person types to look at a server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { PATIENCE, contract, startServer } from "./world.mjs";

const program = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url).pathname;
let server;
before(async () => (server = await startServer()));
after(() => server.stop());

async function inspector(method, ...more) {
  const args = [program, "--cli", server.mcpUrl, "--transport", "http", "--method", method, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: PATIENCE, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}
const call = (tool, args) => inspector("tools/call", "--tool-name", tool, ...Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]));

// Each call starts a process: side by side they take as long as the longest.
describe("the Inspector", { concurrency: 2 }, () => {
  test("lists the tools and finds no error in a schema", async () => {
    const { tools } = await inspector("tools/list", "--strict");
    assert.ok(tools.some(({ name }) => name === "ggui_render"));
  });

  test("calls tools: a handshake, a render, and an error it shows as one", async () => {
    const { structuredContent: agreed } = await call("ggui_handshake", { intent: "Look inside", blueprintDraft: { contract } });
    const { structuredContent: shown } = await call("ggui_render", { handshakeId: agreed.handshakeId, props: { title: "x" } });
    const { contents } = await inspector("resources/read", "--uri", shown.resourceUri);
    assert.equal(contents[0].mimeType, "text/html;profile=mcp-app");
    await assert.rejects(call("ggui_render", { handshakeId: agreed.handshakeId, props: { title: "x" } }), ({ stdout, code }) => {
      assert.equal(code, 5);
      return JSON.parse(stdout).structuredContent.error.code === "handshake_not_found";
    });
  });

  test("finds the app that belongs to a render", async () => {
    const info = await inspector("tools/call", "--tool-name", "ggui_render", "--app-info");
    assert.match(info.resourceUri, /^ui:/);
  });

  test("lists resources and their templates, and reads what is listed", async () => {
    const { resources } = await inspector("resources/list");
    assert.ok(resources.length > 0);
    const read = await Promise.all(resources.map(({ uri }) => inspector("resources/read", "--uri", uri)));
    for (const { contents } of read) assert.equal(contents.length, 1);
    assert.ok(Array.isArray((await inspector("resources/templates/list")).resourceTemplates));
  });

  test("lists the prompts and gets one", async () => {
    const { prompts } = await inspector("prompts/list");
    const form = prompts.find(({ name }) => name === "form");
    const required = form.arguments.filter(({ required }) => required).flatMap(({ name }) => ["--prompt-args", `${name}=a thing`]);
    const { messages } = await inspector("prompts/get", "--prompt-name", "form", ...required);
    assert.match(messages[0].content.text, /ggui_handshake/);
  });
});

// The Python SDK, tested in Python: what it proves stands in sdk_python.py and is printed below.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { contract, PATIENCE, startServer } from "./world.mjs";

test("the Python SDK lists, calls, reads and receives errors in both eras", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const env = { ...process.env, MCP_URL: server.mcpUrl, CONTRACT: JSON.stringify(contract) };
  const script = new URL("sdk_python.py", import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.env.PYTHON, [script], { env, encoding: "utf8", timeout: 2 * PATIENCE });
  for (const [, name] of stderr.matchAll(/^(test_\w+) .*ok$/gm)) t.diagnostic(name.replaceAll("_", " "));
  assert.equal(status, 0, stderr);
});

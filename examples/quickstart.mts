import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const url = new URL(process.argv[2] ?? "http://127.0.0.1:6781/mcp");
const client = new Client({ name: "quickstart", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(url));

async function call(name: string, args: Record<string, unknown>): Promise<any> {
  return (await client.callTool({ name, arguments: args })).structuredContent;
}

const contract = {
  propsSpec: { properties: { line: { schema: { type: "string" }, required: true } } },
  actionSpec: { greet: { label: "Greet", schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
};
const { handshakeId } = await call("ggui_handshake", { intent: "Ask for a name", blueprintDraft: { contract } });
const { sessionId, viewerUrl } = await call("ggui_render", { handshakeId, props: { line: "Who are you?" } });
console.log(`open ${viewerUrl}`);
let taken: any;
do taken = await call("ggui_consume", { sessionId, timeout: 25 });
while (taken.events.length === 0);
await call("ggui_amend", { sessionId, kind: "merge", patch: { line: `Hello, ${taken.events[0].actionData.name}!` } });
await client.close();

// A server of the official SDK that speaks both eras: on standard input and output, or at a port of this
// machine that it names on standard output.
import { createServer } from "node:http";
import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const takes = (properties, required = []) => fromJsonSchema({ type: "object", properties, required });
const says = (text) => ({ content: [{ type: "text", text }] });

function everything() {
  const capabilities = { tools: {}, resources: {}, prompts: {}, logging: {} };
  const server = new McpServer({ name: "both-eras", version: "1.0.0" }, { capabilities });
  const text = { text: { type: "string" } };
  server.registerTool(
    "echo",
    { title: "Echo", description: "Says it again.", inputSchema: takes(text, ["text"]) },
    async ({ text }) => ({ ...says(text), structuredContent: { said: text }, _meta: { own: 1 } }),
  );
  server.registerTool(
    "count",
    { description: "Counts, and says so.", inputSchema: takes({ to: { type: "integer" } }, ["to"]) },
    async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= to; progress += 1) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: to } });
        await mcpReq.log("info", `at ${progress}`);
      }
      return says(`counted to ${to}`);
    },
  );
  server.registerTool("ask", { description: "Asks two things at once.", inputSchema: takes({}) }, async (_, { mcpReq }) => {
    const answered = acceptedContent(mcpReq.inputResponses, "person");
    if (answered) return says(`${answered.name}: ${mcpReq.inputResponses.model.content.text}`);
    const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
    const messages = [{ role: "user", content: { type: "text", text: "The capital?" } }];
    const model = inputRequired.createMessage({ messages, maxTokens: 20 });
    return inputRequired({ inputRequests: { person: inputRequired.elicit(form), model } });
  });
  server.registerTool("fail", { description: "Fails.", inputSchema: takes({}) }, async () => ({ ...says("no"), isError: true }));
  server.registerResource("note", "note://1", { mimeType: "text/plain" }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "A note" }],
  }));
  server.registerPrompt(
    "greet",
    { description: "Greets.", argsSchema: takes({ who: { type: "string" } }, ["who"]) },
    ({ who }) => ({ messages: [{ role: "user", content: { type: "text", text: `Hello ${who}` } }] }),
  );
  return server;
}

/** Answers a request of Node by a handler of the web's requests. */
async function answer(handler, request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { method, headers, url } = request;
  const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
  const answered = await handler.fetch(new Request(`http://127.0.0.1${url}`, { method, headers, body }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const part of answered.body ?? []) response.write(part);
  response.end();
}

if (process.argv[2] === "stdio") {
  serveStdio(everything);
} else {
  const handler = createMcpHandler(everything);
  const server = createServer((request, response) => answer(handler, request, response));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

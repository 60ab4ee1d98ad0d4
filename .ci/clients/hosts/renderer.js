// A chat host made of AppRenderer of @mcp-ui/client, as a React application uses it.
import { AppRenderer } from "@mcp-ui/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createElement, createRef } from "react";
import { createRoot } from "react-dom/client";

const seen = { initialized: null, messages: [], sizes: [], links: [], modes: [], contexts: [], calls: [], observed: [], errors: [] };
const handle = createRef();
let root;
let shown;

function show(more) {
  shown = { ...shown, ...more };
  root.render(createElement(AppRenderer, shown));
}

addEventListener("message", ({ data }) => {
  // AppRenderer tells nobody what the app calls itself, and forwards tool calls by itself: both are
  // read off the wire.
  if (data?.method === "tools/call") seen.calls.push(data.params.name);
  if (data?.type === "ggui:observe") seen.observed.push(data.event.kind);
  if (data?.method === "ui/initialize") seen.initialized = { app: data.params.appInfo, capabilities: data.params.appCapabilities };
});

globalThis.host = {
  seen,
  async open({ mcpUrl, sandboxUrl, context, tool }) {
    const client = new Client({ name: "renderer-host", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
    root = createRoot(document.getElementById("app"));
    show({
      ref: handle,
      client,
      toolName: "ggui_render",
      ...tool,
      sandbox: { url: new URL(sandboxUrl) },
      hostContext: context,
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} }, updateModelContext: { text: {} } },
      // What AppRenderer has no property for.
      onFallbackRequest: async ({ method, params }) => {
        if (method !== "ui/update-model-context") throw new Error(`${method} is unknown`);
        seen.contexts.push(params.content.map(({ text }) => text));
        return {};
      },
      onMessage: async (message) => (seen.messages.push(message), {}),
      onOpenLink: async (link) => (seen.links.push(link), {}),
      onSizeChanged: (size) => seen.sizes.push(size),
      onError: (error) => seen.errors.push(error.message),
    });
  },
  input: (args) => show({ toolInput: args }),
  result: (result) => show({ toolResult: result }),
  context: (context) => show({ hostContext: context }),
  teardown: () => handle.current.teardownResource(),
};

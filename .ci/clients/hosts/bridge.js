// A chat host made of the official AppBridge.
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const seen = { initialized: null, messages: [], sizes: [], links: [], modes: [], contexts: [], calls: [], observed: [], errors: [] };
let bridge;

// The bridge forwards tool calls by itself, and knows nothing of events: they are read off the wire.
addEventListener("message", ({ data }) => {
  if (data?.method === "tools/call") seen.calls.push(data.params.name);
  if (data?.type === "ggui:observe") seen.observed.push(data.event.kind);
});

globalThis.host = {
  seen,
  async open({ mcpUrl, sandboxUrl, context }) {
    const client = new Client({ name: "bridge-host", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
    const { tools } = await client.listTools();
    const uri = getToolUiResourceUri(tools.find(({ name }) => name === "ggui_render"));
    const { contents } = await client.readResource({ uri });
    const iframe = document.createElement("iframe");
    iframe.sandbox = "allow-scripts allow-same-origin allow-forms";
    const capabilities = { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} }, updateModelContext: { text: {} } };
    bridge = new AppBridge(client, { name: "bridge-host", version: "1.0.0" }, capabilities, { hostContext: context });
    bridge.onmessage = async (message) => (seen.messages.push(message), {});
    bridge.onopenlink = async (link) => (seen.links.push(link), {});
    bridge.onrequestdisplaymode = async ({ mode }) => (seen.modes.push(mode), { mode });
    bridge.onupdatemodelcontext = async ({ content }) => (seen.contexts.push(content.map(({ text }) => text)), {});
    bridge.addEventListener("sizechange", (size) => {
      seen.sizes.push(size);
      iframe.style.height = `${size.height}px`;
    });
    bridge.addEventListener("initialized", () => (seen.initialized = { app: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities() }));
    const ready = new Promise((resolve) => bridge.addEventListener("sandboxready", resolve));
    document.getElementById("app").append(iframe);
    await bridge.connect(new PostMessageTransport(iframe.contentWindow, iframe.contentWindow));
    iframe.src = sandboxUrl;
    await ready;
    const { csp } = contents[0]._meta.ui;
    await bridge.sendSandboxResourceReady({ html: contents[0].text, csp });
  },
  input: (args) => bridge.sendToolInput({ arguments: args }),
  result: (result) => bridge.sendToolResult(result),
  context: (context) => bridge.setHostContext(context),
  teardown: () => bridge.teardownResource({}),
};

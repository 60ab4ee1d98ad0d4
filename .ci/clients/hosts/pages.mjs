// Serves the host pages on loopback, and the sandbox proxy on the other loopback name: another origin.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { build } from "vite";

const here = (file) => new URL(file, import.meta.url);

async function bundle(entry) {
  const { output } = await build({
    root: here(".").pathname,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, minify: false, target: "esnext", lib: { entry: here(entry).pathname, formats: ["es"] } },
  }).then((built) => [built].flat()[0]);
  return output[0].code;
}

/** What hosts make of the `csp` an app declares; nothing it does not name may be loaded. */
function policy({ connectDomains = [], resourceDomains = [] }) {
  const sources = ["'self'", "'unsafe-inline'", "data:", "blob:", ...resourceDomains].join(" ");
  const connect = connectDomains.join(" ") || "'none'";
  return `default-src 'none'; script-src ${sources}; style-src ${sources}; img-src ${sources}; font-src ${sources}; media-src ${sources}; connect-src ${connect}; base-uri 'none'; form-action 'none'`;
}

export async function servePages() {
  const [page, sandbox, bridge, renderer] = await Promise.all([
    readFile(here("host.html")),
    readFile(here("sandbox.html")),
    bundle("bridge.js"),
    bundle("renderer.js"),
  ]);
  const files = { "/bridge/": page, "/renderer/": page, "/bridge/app.js": bridge, "/renderer/app.js": renderer };
  const plain = (src) => `<!doctype html><title>Plain</title><iframe title="App" sandbox="allow-scripts allow-forms" style="width: 100%; height: 600px" src="${src}"></iframe>`;
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const proxy = url.pathname === "/sandbox.html";
    const body = proxy ? sandbox : url.pathname === "/plain/" ? plain(url.searchParams.get("src")) : files[url.pathname];
    if (!body) return response.writeHead(404).end();
    const headers = { "content-type": url.pathname.endsWith(".js") ? "text/javascript" : "text/html" };
    if (proxy) headers["content-security-policy"] = policy(JSON.parse(url.searchParams.get("csp") ?? "{}"));
    response.writeHead(200, headers).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  return {
    host: (kind) => `http://127.0.0.1:${port}/${kind}/`,
    sandbox: `http://localhost:${port}/sandbox.html`,
    close: () => server.close(),
  };
}

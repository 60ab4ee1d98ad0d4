// How to register this server with each client.

import { stageStrings as say } from "../strings";

export interface Client {
  readonly name: string;
  /** What to do with the lines, for a person. */
  readonly how: string;
  readonly lines: string;
}

const NAME = "proscenium";
/** The default address that `proscenium stdio` looks at. */
const DEFAULT_HOST = "127.0.0.1:6781";

export function clientsOf(url: string): readonly Client[] {
  const how = say.clientHow;
  const clients = [
    {
      name: "Claude Code",
      how: how.terminal,
      lines: `claude mcp add --transport http ${NAME} ${url}`,
    },
    {
      name: "VS Code",
      how: how.terminal,
      lines: `code --add-mcp '${JSON.stringify({ name: NAME, type: "http", url })}'`,
    },
    {
      name: "Cursor",
      how: how.cursor,
      lines: JSON.stringify({ mcpServers: { [NAME]: { url } } }, null, 2),
    },
    {
      name: "Goose",
      how: how.goose,
      lines: `goose session --with-streamable-http-extension "${url}"`,
    },
    {
      name: "MCP Inspector",
      how: how.inspector,
      lines: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
    },
    {
      name: "curl",
      how: how.curl,
      lines: `curl ${url} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    },
  ];
  const stdio = stdioCommand(url);
  return stdio ? [...clients, { name: "stdio", how: how.stdio, lines: stdio }] : clients;
}

/** A process finds a server on its own machine only. */
function stdioCommand(url: string): string | undefined {
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(hostname))
    return undefined;
  return host === DEFAULT_HOST
    ? `${NAME} stdio`
    : `${NAME} stdio --listen ${host.replace("localhost", "127.0.0.1")}`;
}

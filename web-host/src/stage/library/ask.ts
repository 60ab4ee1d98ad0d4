// What the library asks of the server: memories over REST, and what only the tools of pages tell.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

export interface Row {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly memory_type: string;
  /** How it begins; of what was found, where the words stand. */
  readonly summary?: string;
  readonly snippet?: string;
}

export interface Rows {
  readonly data: readonly Row[];
  readonly nextCursor?: string | null;
}

export interface Memory extends Row {
  readonly content: string;
  readonly tags: readonly string[];
  readonly version: number;
  readonly updated_at: string;
}

export interface VersionRow {
  readonly version: number;
  readonly written_at: string;
  readonly written_by: string;
}

export interface Version extends VersionRow {
  readonly content: string;
}

/** A refusal of the server; status 0 where it was not reached. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly candidates: readonly string[] = [],
  ) {
    super(message);
  }
}

interface Envelope {
  readonly error?: {
    readonly message?: string;
    readonly details?: { readonly candidates?: readonly string[] };
  };
}

export async function send(path: string, method: string, body?: unknown): Promise<unknown> {
  const init: RequestInit = { method, cache: "no-store" };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  let parsed: unknown;
  try {
    answer = await fetch(path, init);
    parsed = answer.status === 204 ? undefined : await answer.json();
  } catch (error) {
    throw new Refused(0, String(error));
  }
  if (answer.ok) return parsed;
  const { error } = (parsed ?? {}) as Envelope;
  throw new Refused(answer.status, error?.message ?? "", error?.details?.candidates);
}

const at = (slug: string) => `/api/v1/memories/${encodeURIComponent(slug)}`;
// People change more than agents may: preferences, too.
const onStage = (slug: string) => `/stage/pages/${encodeURIComponent(slug)}`;

export async function listed(cursor?: string): Promise<Rows> {
  const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
  return (await send(`/api/v1/memories?limit=50${after}`, "GET")) as Rows;
}

export async function searched(query: string): Promise<Rows> {
  return (await send("/api/v1/search", "POST", { query, limit: 50 })) as Rows;
}

export async function memory(slug: string): Promise<Memory> {
  return (await send(at(slug), "GET")) as Memory;
}

export async function versions(slug: string): Promise<readonly VersionRow[]> {
  const { data } = (await send(`${at(slug)}/versions?limit=100`, "GET")) as {
    readonly data: readonly VersionRow[];
  };
  return data;
}

export async function version(slug: string, number: number): Promise<Version> {
  return (await send(`${at(slug)}/versions/${number}`, "GET")) as Version;
}

export async function save(
  slug: string,
  change: {
    readonly content: string;
    readonly title?: string;
    readonly expected_version: number;
  },
): Promise<Memory> {
  return (await send(onStage(slug), "PATCH", change)) as Memory;
}

/** How many pages were deleted here: lists that were read before are out of date. */
export const deletions = signal(0);

export async function forget(slug: string): Promise<void> {
  await send(onStage(slug), "DELETE");
  deletions.value += 1;
}

interface Called {
  readonly error?: { readonly message?: string };
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: unknown };
}

async function call(name: string, args: object): Promise<unknown> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const { error, result } = (await send("/mcp/brain", "POST", body)) as Called;
  if (error || result?.isError) throw new Refused(422, error?.message ?? "");
  return result?.structuredContent;
}

export interface Link {
  readonly slug: string;
  readonly title: string;
  readonly relationship: string;
  readonly until: string | null;
}

/** What stands around a page: its links, those to it, and what happened. */
export interface Around {
  readonly links: readonly Link[];
  readonly backlinks: readonly Link[];
  readonly timeline: readonly string[];
}

export async function around(slug: string): Promise<Around> {
  const [graph, back, timeline] = (await Promise.all([
    call("brain_graph", { slug, depth: 1, temporal: "all" }),
    call("brain_backlinks", { slug, temporal: "all" }),
    call("brain_timeline", { slug, limit: 100 }),
  ])) as [
    {
      readonly nodes: readonly { readonly slug: string; readonly title: string }[];
      readonly edges: readonly {
        readonly to: string;
        readonly relationship: string;
        readonly valid_until: string | null;
      }[];
    },
    {
      readonly links: readonly {
        readonly from_slug: string;
        readonly from_title: string;
        readonly relationship: string;
        readonly valid_until: string | null;
      }[];
    },
    { readonly entries: readonly string[] },
  ];
  const titles = new Map(graph.nodes.map((node) => [node.slug, node.title]));
  return {
    links: graph.edges.map(({ to, relationship, valid_until }) => ({
      slug: to,
      title: titles.get(to) ?? to,
      relationship,
      until: valid_until,
    })),
    backlinks: back.links.map(({ from_slug, from_title, relationship, valid_until }) => ({
      slug: from_slug,
      title: from_title,
      relationship,
      until: valid_until,
    })),
    timeline: timeline.entries,
  };
}

/** What is asked for: nothing yet, an answer, or why there is none. */
export interface Asked<T> {
  readonly value?: T;
  readonly refused?: Refused;
  readonly again: () => void;
}

/** Asks anew whenever the key changes; an answer that comes too late is dropped. */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ key: string; value?: T; refused?: Refused }>({ key });
  useEffect(() => {
    let current = true;
    const update = (next: { value?: T; refused?: Refused }) =>
      current && setState({ key, ...next });
    ask().then(
      (value) => update({ value }),
      (error) =>
        update({ refused: error instanceof Refused ? error : new Refused(0, String(error)) }),
    );
    return () => {
      current = false;
    };
  }, [key, turn]);
  const again = () => setTurn((before) => before + 1);
  return state.key === key ? { ...state, again } : { again };
}

// What the server sends to the stage: its configuration and the frames of the feed.

export interface SessionRow {
  readonly sessionId: string;
  readonly appId: string;
  readonly intent?: string;
  readonly title?: string;
  readonly status: "active" | "expired";
  readonly createdAt: string | number;
  readonly lastActivityAt: string | number;
  readonly epoch?: number;
  readonly frameUrl: string;
  readonly viewerUrl?: string;
  readonly contractHash?: string;
}

export interface Snapshot {
  readonly sessions: readonly SessionRow[];
  readonly server?: { readonly version?: string; readonly mcpUrl?: string };
}

export interface ActivityRow {
  readonly seq?: number;
  readonly sessionId?: string;
  readonly at: string | number;
  readonly kind: string;
  readonly text?: string;
  readonly detail?: unknown;
}

export interface StageConfig {
  readonly mode: "all" | "one";
  readonly feedUrl?: string;
  /** Null for a link whose session has ended. */
  readonly session?: SessionRow | null;
  /** Whether the page may relay a frame's requests to the server. */
  readonly relays?: boolean;
  /** Where to request the demo, while the server offers it. */
  readonly demoUrl?: string | null;
  readonly version?: string;
  readonly mcpUrl?: string;
  readonly publicUrl?: string;
}

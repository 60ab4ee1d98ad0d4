// Written by scripts/wire.mjs from schemas/stage.json.

import type { SessionStatus } from "./channel";

/** What the page is configured with. */
export type StageConfig = {
  /** Whether the page may forward to the server what a frame calls. */
  readonly relays: boolean;
  /** Whether a model draws anew what people find wrong. */
  readonly hasModel: boolean;
  /** Version of the server. */
  readonly version: string;
  /** Where agents connect. */
  readonly mcpUrl: string;
  /** Scheme and host under which the server is reached. */
  readonly publicUrl: string;
} & (
  | {
      readonly mode: "all";
      /** Address of the feed. */
      readonly feedUrl: string;
      /** Where the demo is started; null while the server does not offer it. */
      readonly demoUrl: string | null;
      /** Whether the page asks people about calls that agents make after their clicks. */
      readonly confirms: boolean;
    }
  | {
      readonly mode: "one";
      /** The session. */
      readonly session: SessionRow;
    }
);

/** A session as the stage lists it. Times are epoch milliseconds. */
export type SessionRow = {
  /** The session. */
  readonly sessionId: string;
  /** Its app. */
  readonly appId: string;
  /** What it is for. */
  readonly intent: string;
  /** The same, short enough for a list. */
  readonly title: string;
  /** Whether it lives. */
  readonly status: SessionStatus;
  /** When it was rendered. */
  readonly createdAt: number;
  /** When something last happened. */
  readonly lastActivityAt: number;
  /** Version of the history. */
  readonly epoch: number;
  /** Hash of its contract. */
  readonly contractHash: string;
  /** Redirects to the frame with a fresh token. */
  readonly frameUrl: string;
  /** The page a person may be given. Whoever has it may act there: it is only for those who may. */
  readonly viewerUrl?: string;
};

/** What the feed sends, each under the name of an event. */
export type FeedEvent = ActivityRow | SessionRow | Snapshot;

/** Something that happened in a session. */
export type ActivityRow = {
  /** Position in the activity of the app. */
  readonly seq: number;
  /** The session. */
  readonly sessionId: string;
  /** When, epoch milliseconds. */
  readonly at: number;
  /** What happened. */
  readonly kind: string;
  /** More of it, in a few words. */
  readonly text?: string;
  /** Who did it. */
  readonly by: string;
  /** The interface it came through. */
  readonly door: Interface;
};

/** An interface of the server through which things happen. */
export type Interface = "mcp" | "rest" | "server" | "socket";

/** All sessions the caller may see, the newest first. */
export type Snapshot = {
  /** The sessions. */
  readonly sessions: readonly SessionRow[];
  /** Who lists them. */
  readonly server: StageServer;
};

/** The server behind the stage. */
export type StageServer = {
  /** Its version. */
  readonly version: string;
  /** Where agents connect. */
  readonly mcpUrl: string;
};

/** Whether a person is asked about the call that follows what they do. */
export type ConfirmResult = {
  /** What they are to be asked; none: their click allows nothing that is not allowed anyway. */
  readonly question?: CallQuestion;
  /** Whether the call is approved. */
  readonly isApproved: boolean;
};

/** A call that a person is asked about before the agent makes it. */
export type CallQuestion = {
  /** Tells it from every other call. */
  readonly id: string;
  /** The tool, as the agent sees it. */
  readonly tool: string;
  /** The id of its source. */
  readonly server: string;
  /** The agent. */
  readonly requester: string;
  /** Why the rule wants a person to be asked. */
  readonly why?: string;
  /** What the tool is given, without what is secret. */
  readonly arguments: readonly ShownValue[];
};

/** A value as people are shown it. */
export type ShownValue = {
  /** Its name, with dots for what is nested. */
  readonly name: string;
  /** The value as a text. */
  readonly value: string;
};

/** What the page of the stage is configured with, what its feed sends, or what it is told of the call after a click. */
export type Stage = StageConfig | FeedEvent | ConfirmResult;

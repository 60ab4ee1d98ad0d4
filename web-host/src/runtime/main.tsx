// Boots the guest: paints from the slice first, then connects to its host and to the live channel.

import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { keepFocus } from "../catalog/kit/kept-focus";
import { styles } from "../catalog/styles";
import { own } from "../draw/pointer";
import { text } from "../draw/text";
import { Peer } from "../host/peer";
import { App, type Screen } from "./app";
import { watchFrame } from "./growing-frame";
import { Host } from "./host";
import type { ToolResult } from "./mcp";
import { Observer } from "./observe";
import { afterPaint } from "./painted";
import { measureForPaper } from "./paper";
import { MountedSession } from "./session";
import type { Slice } from "./slice";
import { readLocator, readMeta, readPage, readShell, type SliceResult } from "./slice";
import { applySliceTheme } from "./theme";

const DELIVERY_LIMIT = 30_000;

const screen = signal<Screen>({ session: null, failure: null });
const embedded = window.parent !== window;
const peer = new Peer(() => (embedded ? window.parent : null), {
  request(method) {
    if (method === "ping") return Promise.resolve({});
    if (method === "ui/resource-teardown") {
      const session = screen.peek().session;
      observer.lifecycle("disconnected", session?.sessionId);
      session?.close();
      return Promise.resolve({});
    }
    return undefined;
  },
  notification(method, params) {
    if (method === "ui/notifications/tool-result") void delivered(params);
    else if (method === "ui/notifications/host-context-changed") host.applyContext(params);
  },
});
const observer = new Observer(peer);
const host = new Host(peer);

function mount(slice: Slice): void {
  applySliceTheme(slice);
  const session = new MountedSession(slice, host, observer);
  session.restore();
  screen.value = { session, failure: null };
  // What the slice contains is painted before anything else starts.
  afterPaint(() => session.connect());
}

function take(result: SliceResult): void {
  if (result.kind === "slice") mount(result.slice);
  else if (result.kind === "failed") fail(result.reason, result.message);
}

function fail(reason: string, message: string): void {
  observer.bootstrapFailed(reason, message);
  observer.lifecycle("error", undefined, { code: reason, message });
  screen.value = { session: null, failure: { reason, message } };
}

/** The card of one tool result in a chat. */
function taken(result: SliceResult): void {
  take(result);
  if (result.kind === "slice") screen.peek().session!.store.pin();
}

/** A tool result contains the slice, or the address of the shell that contains it. */
async function delivered(toolResult: ToolResult): Promise<void> {
  const result = readMeta(toolResult?._meta);
  const session = screen.peek().session;
  if (session) {
    if (result.kind === "slice" && result.slice.sessionId === session.sessionId)
      session.update(result.slice);
    else if (
      result.kind === "none" &&
      readLocator(toolResult)?.split("/")[4]?.split("#")[0] === session.sessionId
    )
      session.store.pin();
    return;
  }
  if (result.kind !== "none") return taken(result);
  const uri = readLocator(toolResult);
  if (!uri) return;
  try {
    const resource = await host.readResource(uri);
    // Another result may have arrived first.
    if (screen.peek().session) return;
    const read = readMeta(readShell(String(resource?.contents?.[0]?.text ?? "")));
    taken(
      read.kind === "none"
        ? { kind: "failed", reason: "MALFORMED_BOOTSTRAP", message: "the shell carries no slice" }
        : read,
    );
  } catch (problem) {
    if (screen.peek().session) return;
    fail("BUNDLE_FETCH_FAILED", text(own(problem, "message")) || "the shell could not be read");
  }
}

/** Links leave through the host, which asks the person. */
function interceptLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!link) return;
  event.preventDefault();
  host.openLink(link.getAttribute("href")!);
}

function Shell({ root }: { root: HTMLElement }) {
  const { session, failure } = screen.value;
  const live = session?.live.value ?? "connecting";
  const transport = session?.transport.value ?? "";
  const drawn = session?.store.view.value;
  const problem = session?.store.problem.value;
  useEffect(() => {
    root.dataset.live = failure ? "ended" : live;
    root.dataset.transport = transport;
  }, [live, transport, failure]);
  useEffect(() => {
    if (drawn) observer.lifecycle("code-ready", session!.sessionId);
  }, [Boolean(drawn), session]);
  useEffect(() => {
    if (!problem) return;
    if (drawn)
      return session!.observe({
        kind: "view-refused",
        sessionId: session!.sessionId,
        message: problem,
      });
    observer.bootstrapFailed("MALFORMED_VIEW", problem);
    observer.lifecycle("error", session!.sessionId, { code: "MALFORMED_VIEW", message: problem });
  }, [problem]);
  return <App screen={screen} host={host} />;
}

/** Runs once, after every component of this shell has registered itself. */
export function boot(): void {
  const style = document.createElement("style");
  style.textContent = styles();
  document.head.append(style);
  const root = document.createElement("main");
  root.dataset.gguiSessionRoot = "";
  root.className = "g-root";
  document.body.append(root);
  root.addEventListener("click", interceptLinks);
  keepFocus();
  observer.ready();
  observer.lifecycle("mounting");
  const inline = readPage();
  take(inline);
  document.querySelector("[data-shape]")?.remove();
  render(<Shell root={root} />, root);
  if (embedded) {
    watchFrame(root);
    void host.connect().then((connected) => {
      if (!connected) return;
      host.reportSize(root);
      screen.peek().session?.restore();
      if (host.keeps) measureForPaper(root, (height) => host.paper(height));
      if (screen.peek().session?.live.peek() !== "open") screen.peek().session?.retry();
    });
    if (inline.kind === "none")
      setTimeout(
        () =>
          !screen.peek().session &&
          !screen.peek().failure &&
          fail("MISSING_TOOL_OUTPUT", "no tool result arrived"),
        DELIVERY_LIMIT,
      );
  } else if (inline.kind === "none") fail("BOOTSTRAP_META_MISSING", "the page carries no slice");
}

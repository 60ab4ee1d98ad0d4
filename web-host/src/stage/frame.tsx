// One session on stage: its title, its menu and its sandboxed frame; a failure stays inside this
// area.

import { effect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../catalog/kit/icons";
import { hostFrame } from "../host/frame-host";
import { keeperOf } from "../host/keeper";
import { stageStrings as say, sentenceFor } from "../strings";
import { rowOfEvent } from "./activity-log";
import { askAboutCall } from "./called";
import { config } from "./config";
import { Explanation, explains } from "./explanation";
import { openFeed } from "./feed";
import { relayResource, relayTool } from "./relay";
import {
  askToOpen,
  FRAME_URL_LIFE,
  failedFrames,
  fill,
  filling,
  type KnownSession,
  logActivity,
  remarked,
  setFailed,
  shared,
} from "./state";
import { shownTheme } from "./theme";

export function titleOf(row: { title?: string; intent?: string } | undefined): string {
  return row?.title || row?.intent || say.untitled;
}

/** The address a frame was first given stays: a newer one would load it again. */
function useFrameUrl(row: KnownSession): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (url) return;
    if (Date.now() - row.knownAt < FRAME_URL_LIFE) setUrl(row.frameUrl);
    else if (config.mode === "all") openFeed(config.feedUrl);
  }, [row.knownAt, url]);
  return url;
}

/**
 * `titled` puts a bar with the menu above the frame, where several stand side by side; the
 * interface itself shows the title, and the bar says it where there is none to see.
 */
export function Frame({
  row,
  hidden,
  titled,
}: {
  row: KnownSession;
  hidden?: boolean;
  titled?: boolean;
}) {
  const url = useFrameUrl(row);
  const ref = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(160);
  const failure = failedFrames.value.get(row.sessionId);
  const fills = filling.value === row.sessionId && !hidden;
  useLayoutEffect(
    () => (ref.current ? hostOnStage(ref.current, row.sessionId, setHeight) : undefined),
    [url, row.sessionId],
  );
  return (
    <article
      class="s-frame"
      aria-label={titleOf(row)}
      hidden={hidden}
      data-fills={fills}
      data-session={row.sessionId}
      data-failed={failure !== undefined}
    >
      {(titled || fills) && (
        <header class="s-frame-head">
          <h2 class={failure || fills ? undefined : "g-hidden"}>{titleOf(row)}</h2>
          {fills ? <LeaveButton /> : <FrameMenu row={row} />}
        </header>
      )}
      {failure && (
        <div class="s-failed">
          <p>{say.frameFailed}</p>
          <p class="g-muted">{sentenceFor(failure.reason)}</p>
          <details class="g-details">
            <summary>{say.details}</summary>
            <code>{failure.reason}</code> {failure.message}
          </details>
        </div>
      )}
      {url && (
        <iframe
          ref={ref}
          sandbox="allow-scripts allow-forms"
          src={url}
          title={titleOf(row)}
          hidden={failure !== undefined}
          style={fills ? undefined : { height: `${height}px` }}
          loading="lazy"
        />
      )}
      {explains && !hidden && !fills && <Explanation key={row.sessionId} of={row.sessionId} />}
    </article>
  );
}

/** The way back is the stage's own: a frame cannot keep the window. */
function LeaveButton() {
  const leave = () => (filling.value = "");
  useEffect(() => {
    const leaveOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && leave();
    document.addEventListener("keydown", leaveOnEscape);
    return () => document.removeEventListener("keydown", leaveOnEscape);
  }, []);
  return (
    <button
      type="button"
      class="s-icon-button"
      data-leave
      aria-label={say.leaveScreen}
      title={say.leaveScreen}
      onClick={leave}
    >
      <Icon name="close" />
    </button>
  );
}

function hostOnStage(
  frame: HTMLIFrameElement,
  sessionId: string,
  height: (pixels: number) => void,
): () => void {
  const host = hostFrame(frame, {
    info: { name: "proscenium-stage", version: config.version },
    theme: shownTheme.peek(),
    coveredTop: document.querySelector(".s-header")?.clientHeight ?? 0,
    keeper: keeperOf(sessionId),
    height,
    failed(failure) {
      setFailed(sessionId, failure);
      if (failure)
        logActivity({ sessionId, at: Date.now(), kind: "frame-failed", detail: failure }, "frame");
    },
    observed: (event) => logActivity(rowOfEvent(sessionId, event), "frame"),
    display: (mode) => fill(sessionId, mode),
    rings: () => logActivity({ sessionId, at: Date.now(), kind: "rings" }, "frame"),
    openLink: askToOpen,
    confirm:
      config.mode === "all" && config.confirms
        ? (action, data) => askAboutCall(sessionId, action, data)
        : undefined,
    relay: config.relays
      ? {
          tool: (params) => relayTool(sessionId, params),
          resource: (params) => relayResource(sessionId, params),
        }
      : undefined,
  });
  const stopTheme = effect(() => host.theme(shownTheme.value));
  const stopDisplay = effect(() =>
    host.display(filling.value === sessionId ? "fullscreen" : "inline"),
  );
  return () => {
    stopTheme();
    stopDisplay();
    host.close();
  };
}

/** Whether the session has ended, and what can be done with its link. */
export function FrameMenu({ row }: { row: KnownSession }) {
  return (
    <>
      {row.status === "expired" && <span class="s-pill">{say.expired}</span>}
      {row.viewerUrl && (
        <LinkMenu
          key={row.sessionId}
          session={row.sessionId}
          title={titleOf(row)}
          url={row.viewerUrl}
        />
      )}
    </>
  );
}

function LinkMenu({ session, title, url }: { session: string; title: string; url: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (
        !menu.current?.open ||
        (event instanceof KeyboardEvent ? !isEscape : menu.current.contains(event.target as Node))
      )
        return;
      menu.current.removeAttribute("open");
      if (isEscape) menu.current.querySelector("summary")!.focus();
    };
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  const leave = () => {
    menu.current?.removeAttribute("open");
    menu.current?.querySelector("summary")?.focus();
  };
  const share = () => {
    leave();
    shared.value = { title, url: new URL(url, location.href) };
  };
  const remark = () => {
    leave();
    remarked.value = session;
  };
  return (
    <details class="s-menu" ref={menu}>
      <summary aria-label={say.menu(title)}>
        <Icon name="more" />
      </summary>
      <div class="s-menu-items">
        <button type="button" data-share onClick={share}>
          <Icon name="link" />
          {say.share}
        </button>
        {config.mode === "all" && config.hasModel && (
          <button type="button" data-remark onClick={remark}>
            <Icon name="edit" />
            {say.remark}
          </button>
        )}
        {config.mode === "all" && (
          <a href={url} target="_blank" rel="noreferrer">
            <Icon name="external" />
            {say.openAlone}
          </a>
        )}
      </div>
    </details>
  );
}

// One session on stage: its title, its menu and its sandboxed frame; a failure stays inside this area.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { copyText } from "../catalog/kit/copy";
import { Icon } from "../catalog/kit/icons";
import { sentenceFor, stageStrings as say } from "../strings";
import { config } from "./config";
import { openFeed } from "./feed";
import { hostFrame } from "./frame-host";
import { failedFrames, FRAME_URL_LIFE, type KnownSession } from "./state";

export function titleOf(row: { title?: string; intent?: string } | undefined): string {
  return row?.title || row?.intent || say.untitled;
}

/** The address a frame was first given stays: a newer one would load it again. */
function useFrameUrl(row: KnownSession): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (url) return;
    if (Date.now() - row.knownAt < FRAME_URL_LIFE) setUrl(row.frameUrl);
    else if (config.mode === "all") openFeed();
  }, [row.knownAt, url]);
  return url;
}

/** `titled` puts the title above the frame, where several stand side by side. */
export function Frame({ row, hidden, titled }: { row: KnownSession; hidden?: boolean; titled?: boolean }) {
  const url = useFrameUrl(row);
  const ref = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(160);
  const failure = failedFrames.value.get(row.sessionId);
  useLayoutEffect(() => (ref.current ? hostFrame(ref.current, row.sessionId, setHeight) : undefined), [url, row.sessionId]);
  return (
    <article class="s-frame" aria-label={titleOf(row)} hidden={hidden} data-session={row.sessionId} data-failed={failure !== undefined}>
      {titled && <header class="s-frame-head"><h2>{titleOf(row)}</h2><FrameMenu row={row} /></header>}
      {failure && <div class="s-failed"><p>{say.frameFailed}</p><p class="g-muted">{sentenceFor(failure.reason)}</p><details class="g-details"><summary>{say.details}</summary><code>{failure.reason}</code> {failure.message}</details></div>}
      {url && <iframe ref={ref} sandbox="allow-scripts allow-forms" src={url} title={titleOf(row)} hidden={failure !== undefined} style={{ height: `${height}px` }} />}
    </article>
  );
}

/** Whether the session has ended, and what can be done with its link. */
export function FrameMenu({ row }: { row: KnownSession }) {
  return (
    <>
      {row.status === "expired" && <span class="s-pill">{say.expired}</span>}
      {row.viewerUrl && <LinkMenu key={row.sessionId} title={titleOf(row)} url={row.viewerUrl} />}
    </>
  );
}

function LinkMenu({ title, url }: { title: string; url: string }) {
  const [copied, setCopied] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !menu.current?.contains(event.target as Node)) menu.current?.removeAttribute("open");
    };
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  const copy = async () => {
    setCopied(await copyText(new URL(url, location.href).href));
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <details class="s-menu" ref={menu}>
      <summary aria-label={say.menu(title)}><Icon name="more" /></summary>
      <div class="s-menu-items">
        <button type="button" onClick={copy}><Icon name={copied ? "check" : "link"} />{copied ? say.copied : say.copyLink}</button>
        {config.mode === "all" && <a href={url} target="_blank" rel="noreferrer"><Icon name="external" />{say.openAlone}</a>}
      </div>
    </details>
  );
}

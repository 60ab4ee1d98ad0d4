// What the guest renders: the view, and quiet lines about the connection around it.

import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { keepInSight } from "../catalog/kit/sight";
import type { DrawContext } from "../draw/context";
import { Root } from "../draw/node";
import { components } from "../draw/registry";
import { MAX_NODES } from "../draw/view";
import { guestStrings as say, sentenceFor } from "../strings";
import type { Host } from "./host";
import type { MountedSession } from "./session";

/** A connection that is back this soon was never away for the person. */
const AWAY_UNSAID = 1500;
/** Pixels above a line that goes along with the page. */
const ABOVE = 8;

export interface Screen {
  readonly session: MountedSession | null;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

interface AppProps {
  readonly screen: ReadonlySignal<Screen>;
  readonly host: Host;
}

export function App({ screen, host }: AppProps) {
  const { session, failure } = screen.value;
  if (session) return <Mounted session={session} host={host} />;
  if (failure)
    return (
      <Placeholder
        sentence={sentenceFor(failure.reason, say.notShown)}
        code={failure.reason}
        detail={failure.message}
      />
    );
  return (
    <p class="g-placeholder" role="status">
      {say.waiting}
    </p>
  );
}

function Mounted({ session, host }: { session: MountedSession; host: Host }) {
  const view = session.store.view.value;
  const locale = host.locale.value;
  const problem = session.store.problem.value;
  const draw = useMemo<DrawContext | null>(
    () =>
      view && {
        view,
        catalog: components,
        model: session.store.model,
        actions: session.actions,
        kept: session.drafts,
        locale,
        runtimeUrl: session.runtimeUrl,
        openUrl: (url) => host.openLink(url),
        failed: (componentId, error) =>
          session.observe({ kind: "component-failed", componentId, message: String(error) }),
      },
    [view, locale, session],
  );
  useLayoutEffect(() => session.store.drawn(), [view, session]);
  return (
    <>
      <ModeButton host={host} />
      <StatusLine session={session} />
      <SignInNotice session={session} host={host} />
      <UnopenedNotice host={host} />
      {draw ? (
        <Root
          key={`${keyOf(draw)}.${session.drafts.restored.value}`}
          draw={draw}
          budget={MAX_NODES}
        />
      ) : problem ? (
        <Placeholder sentence={say.notShown} code="MALFORMED_VIEW" detail={problem} />
      ) : (
        !session.ended.value && (
          <p class="g-placeholder" role="status">
            {say.waiting}
          </p>
        )
      )}
    </>
  );
}

const keys = new WeakMap<object, number>();
let nextKey = 0;

/** Another view starts from scratch: no local state of the old one may leak into it. */
function keyOf(draw: DrawContext): number {
  let key = keys.get(draw.view);
  if (key === undefined) keys.set(draw.view, (key = nextKey++));
  return key;
}

/** Short interruptions are not shown; a lasting one is shown once, with a way to retry at once. */
function StatusLine({ session }: { session: MountedSession }) {
  const ended = session.ended.value;
  const live = session.live.value;
  const away = useLasting(live === "away" || live === "offline", AWAY_UNSAID);
  const refused = session.store.view.value !== null && session.store.problem.value;
  const sentence =
    ended?.sentence ??
    (session.store.frozen.value
      ? say.frozen
      : live === "offline"
        ? say.offline
        : away
          ? say.reconnecting
          : refused
            ? say.notRenewed
            : session.unfed.value
              ? say.unfed
              : "");
  const details = ended
    ? ended.code
    : sentence === say.notRenewed
      ? `MALFORMED_VIEW ${refused}`
      : "";
  const line = useRef<HTMLDivElement>(null);
  // Wherever the person has scrolled to, that is where they read it.
  useLayoutEffect(() => {
    if (!sentence) return;
    const element = line.current!;
    let lower = 0;
    const stop = keepInSight(element, ({ top }) => {
      const place = element.getBoundingClientRect().top - lower;
      lower = Math.max(0, top + ABOVE - place);
      element.style.top = `${lower}px`;
    });
    return () => {
      stop();
      element.style.top = "";
    };
  }, [Boolean(sentence)]);
  return (
    <div
      ref={line}
      class="g-statusline"
      role="status"
      aria-live="polite"
      hidden={!sentence}
      data-tone={ended ? "bad" : "warn"}
    >
      {sentence}
      {live === "offline" && !ended && (
        <button
          type="button"
          class="g-button"
          data-variant="borderless"
          onClick={() => session.retry()}
        >
          {say.tryNow}
        </button>
      )}
      {details && (
        <details class="g-details">
          <summary>{say.details}</summary>
          <code>{details}</code>
        </details>
      )}
    </div>
  );
}

/** True once `now` has been true for that many milliseconds without a break. */
function useLasting(now: boolean, milliseconds: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!now) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), milliseconds);
    return () => clearTimeout(timer);
  }, [now]);
  return now && lasting;
}

function UnopenedNotice({ host }: { host: Host }) {
  const url = host.unopened.value;
  return (
    url && (
      <div class="g-notice" data-tone="info" role="status">
        <div>
          {say.cannotOpen}
          <br />
          <strong class="g-address" dir="ltr">
            {url}
          </strong>
        </div>
      </div>
    )
  );
}

// Arrows outwards and inwards; drawn here, because a view without icons carries none.
const arrows = {
  fullscreen: "M14 5h5v5M19 5l-6 6M10 19H5v-5M5 19l6-6",
  inline: "M19 5l-6 6M13 6v5h5M5 19l6-6M11 18v-5H6",
};

/** Only where the host can enlarge the view, or shrink it back. */
function ModeButton({ host }: { host: Host }) {
  const other = host.otherMode.value;
  if (!other) return null;
  const label = other === "fullscreen" ? say.fillScreen : say.leaveScreen;
  return (
    <button
      type="button"
      class="g-mode"
      data-mode={other}
      aria-label={label}
      title={label}
      onClick={() => host.requestMode(other)}
    >
      <svg
        viewBox="0 0 24 24"
        width="1em"
        height="1em"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
      >
        <path d={arrows[other]} />
      </svg>
    </button>
  );
}

function SignInNotice({ session, host }: { session: MountedSession; host: Host }) {
  const signIn = session.signIn.value;
  if (!signIn || session.ended.value) return null;
  const open = () => {
    host.openLink(signIn.url.href);
    session.signIn.value = null;
  };
  return (
    <div class="g-notice" data-tone="info" role="status">
      <div>{signIn.message ?? say.signInText(signIn.provider)}</div>
      <button type="button" class="g-button" data-variant="primary" data-sign-in onClick={open}>
        {say.signInAt(signIn.url.host)}
      </button>
    </div>
  );
}

function Placeholder({
  sentence,
  code,
  detail,
}: {
  sentence: string;
  code: string;
  detail: string;
}) {
  return (
    <div class="g-placeholder">
      <p role="status">{sentence}</p>
      <details class="g-details">
        <summary>{say.details}</summary>
        <code>{code}</code> {detail}
      </details>
    </div>
  );
}

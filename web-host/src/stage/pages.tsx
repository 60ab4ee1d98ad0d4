// The two pages: the whole stage, and one render alone.

import { useRef } from "preact/hooks";
import { Dialog } from "../catalog/kit/dialog";
import { stageStrings as say } from "../strings";
import { Activity } from "./activity";
import { CallDialog } from "./called";
import { config } from "./config";
import { EmptyStage } from "./empty";
import { Frame, FrameMenu, titleOf } from "./frame";
import { Brand, Header, ThemeButton } from "./header";
import { Library } from "./library/library";
import { place } from "./library/place";
import { RemarkDialog } from "./remark";
import { SessionList, SessionSelect } from "./session-list";
import { ShareDialog } from "./share";
import { current, feedState, found, layout, linkToOpen, panel, query, sessions } from "./state";

const KEPT_FRAMES = 6;
/** More sessions than a selector on a phone shows well: then they can be searched there too. */
const MANY = 6;

export function StagePage() {
  if (place.value !== null)
    return (
      <div class="s-page" data-place="library">
        <Header />
        <Library />
      </div>
    );
  const empty = sessions.value.length === 0;
  return (
    <div
      class="s-page"
      data-panel={panel.value}
      data-empty={empty}
      data-many={sessions.value.length > MANY}
      data-searches={query.value.trim() !== ""}
    >
      <Header />
      {empty ? (
        feedState.value !== "connecting" && (
          <main class="s-main">
            <EmptyStage />
          </main>
        )
      ) : (
        <div class="s-body">
          <section class="s-bar" aria-label={say.panels}>
            <SessionSelect />
            <div class="s-tabs" role="group" aria-label={say.panels}>
              {(["stage", "activity"] as const).map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={panel.value === name}
                  onClick={() => (panel.value = name)}
                >
                  {say[name]}
                </button>
              ))}
            </div>
            {layout.value === "one" && current.value && <FrameMenu row={current.value} />}
          </section>
          <SessionList />
          <main class="s-main">
            {layout.value === "grid" ? (
              <div class="s-grid">
                {found.value.map((row) => (
                  <Frame key={row.sessionId} row={row} titled />
                ))}
              </div>
            ) : (
              <OneAtATime />
            )}
          </main>
          <Activity />
        </div>
      )}
      <LinkQuestion />
      <ShareDialog />
      <RemarkDialog />
      <CallDialog />
    </div>
  );
}

/** Frames that were on stage a moment ago stay loaded, so coming back is instant. */
function OneAtATime() {
  const kept = useRef<string[]>([]);
  const shown = current.value?.sessionId;
  if (shown && kept.current.at(-1) !== shown)
    kept.current = [...kept.current.filter((other) => other !== shown), shown].slice(-KEPT_FRAMES);
  const rows = sessions.value
    .filter((row) => kept.current.includes(row.sessionId))
    .sort((left, right) => (left.sessionId < right.sessionId ? -1 : 1));
  return (
    <>
      {rows.map((row) => (
        <Frame key={row.sessionId} row={row} hidden={row.sessionId !== shown} />
      ))}
    </>
  );
}

export function OnePage() {
  const session = sessions.value[0]!;
  return (
    <div class="s-page s-one">
      <header class="s-header">
        <Brand />
        <h1 class="g-hidden">{titleOf(session)}</h1>
        <span class="s-space" />
        <FrameMenu row={session} />
        <ThemeButton />
      </header>
      <main class="s-main">
        <Frame row={session} />
      </main>
      <LinkQuestion />
      <ShareDialog />
    </div>
  );
}

function LinkQuestion() {
  const link = linkToOpen.value;
  if (!link) return null;
  return (
    <Dialog title={say.openTitle} onClose={() => link.answer(false)}>
      <p>{say.openText}</p>
      <p class="s-address">{link.url}</p>
      <div class="g-dialog-buttons">
        <button type="button" class="g-button" onClick={() => link.answer(false)}>
          {say.cancel}
        </button>
        <button
          type="button"
          class="g-button"
          data-variant="primary"
          onClick={() => link.answer(true)}
        >
          {say.open}
        </button>
      </div>
    </Dialog>
  );
}

export function Page() {
  return config.mode === "one" ? <OnePage /> : <StagePage />;
}

// The head of the stage: its name, the state of its connections, the search and the theme.

import { Icon } from "../catalog/kit/icons";
import { stageStrings as say } from "../strings";
import { askToCall, mayAsk } from "./call";
import { config } from "./config";
import { listAddress, place } from "./library/place";
import { choose, feedState, found, layout, query, sessions } from "./state";
import { nextTheme, theme } from "./theme";

export function ThemeButton() {
  const label = say.themes[theme.value];
  return (
    <button
      type="button"
      class="s-icon-button"
      aria-label={label}
      title={label}
      onClick={nextTheme}
    >
      <Icon name={{ system: "system", light: "sun", dark: "moon" }[theme.value]} />
    </button>
  );
}

export function Brand() {
  return (
    <a class="s-brand" href="/">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 18V6c4 0 7 3 7 8 0-5 3-8 7-8v12" />
      </svg>
      {say.product}
    </a>
  );
}

/** The two places of the stage. */
function Places() {
  const isLibrary = place.value !== null;
  return (
    <nav class="s-places" aria-label={say.places}>
      <a href="#stage" aria-current={isLibrary ? undefined : "page"}>
        {say.stage}
      </a>
      <a href={listAddress} aria-current={isLibrary ? "page" : undefined}>
        {say.pages}
      </a>
    </nav>
  );
}

export function Header() {
  const state = feedState.value;
  const searches = sessions.value.length > 0 && place.value === null;
  return (
    <header class="s-header">
      <Brand />
      {searches && <h1 class="g-hidden">{say.product}</h1>}
      <Places />
      <span class="s-state" role="status" data-feed={state}>
        <i />
        {state === "open" ? say.live : state === "lost" ? say.reconnecting : say.connecting}
      </span>
      <span class="s-space" />
      {searches && (
        <>
          <input
            type="search"
            class="g-input s-search"
            placeholder={say.search}
            aria-label={say.search}
            value={query.value}
            onInput={(event) => (query.value = event.currentTarget.value)}
            onKeyDown={({ key }) =>
              key === "Enter" && found.value[0] && choose(found.value[0].sessionId)
            }
          />
          <div class="s-toggle" role="group" aria-label={say.layout}>
            <button
              type="button"
              aria-pressed={layout.value === "one"}
              aria-label={say.layoutOne}
              title={say.layoutOne}
              onClick={() => (layout.value = "one")}
            >
              <Icon name="single" />
            </button>
            <button
              type="button"
              aria-pressed={layout.value === "grid"}
              aria-label={say.layoutGrid}
              title={say.layoutGrid}
              onClick={() => (layout.value = "grid")}
            >
              <Icon name="grid" />
            </button>
          </div>
        </>
      )}
      {mayAsk.value && (
        <button
          type="button"
          class="s-icon-button"
          aria-label={say.callMe}
          title={say.callMe}
          onClick={askToCall}
        >
          <Icon name="bell" />
        </button>
      )}
      <ThemeButton />
      <span class="s-version g-muted">{config.version}</span>
    </header>
  );
}

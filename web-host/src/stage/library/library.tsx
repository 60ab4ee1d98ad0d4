// The library: the pages that agents and people have written, to find, read and change.

import { stageStrings as say } from "../../strings";
import { PageOf } from "./page";
import { place } from "./place";
import { Shelf } from "./shelf";

export function Library() {
  const slug = place.value ?? "";
  return (
    <div class="s-library" data-open={slug !== ""}>
      <Shelf />
      <main class="s-main">
        {slug ? (
          <PageOf key={slug} slug={slug} />
        ) : (
          <>
            <h1 class="g-hidden">{say.pages}</h1>
            <p class="s-library-hint g-muted">{say.pageChoose}</p>
          </>
        )}
      </main>
    </div>
  );
}

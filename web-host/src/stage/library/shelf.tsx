// The pages to choose from: the newest, or those that words find.

import { useEffect, useState } from "preact/hooks";
import { stageStrings as say } from "../../strings";
import { deletions, listed, type Row, type Rows, searched, useAsked } from "./ask";
import { pageAddress, place, shortSlug } from "./place";
import { plain } from "./text";

/** After the last letter, so that a word is asked for once. */
const PAUSE = 200;

export function Shelf() {
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [more, setMore] = useState<{ query: string; rows: readonly Row[]; next?: string | null }>({
    query: "",
    rows: [],
  });
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const { value, refused, again } = useAsked<Rows>(`${deletions.value} ${query}`, () =>
    query ? searched(query) : listed(),
  );
  const further = more.query === query && more.rows.length > 0 ? more : null;
  const rows = [...(value?.data ?? []), ...(further?.rows ?? [])];
  const next = further ? further.next : value?.nextCursor;
  const showMore = async () => {
    const page = await listed(next!).catch(() => null);
    if (page)
      setMore({ query, rows: [...(further?.rows ?? []), ...page.data], next: page.nextCursor });
  };
  return (
    <nav class="s-shelf" aria-label={say.pages}>
      <input
        type="search"
        class="g-input"
        placeholder={say.pagesSearch}
        aria-label={say.pagesSearch}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {refused ? (
        <p role="alert">
          {refused.status === 401 || refused.status === 403 ? say.pagesForbidden : say.pagesFailed}{" "}
          <button type="button" class="g-button" onClick={again}>
            {say.again}
          </button>
        </p>
      ) : (
        <p class="g-muted" role="status">
          {!value
            ? say.loading
            : rows.length > 0
              ? query && say.pagesFound(rows.length)
              : query
                ? say.pagesNoMatch
                : say.pagesNone}
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <a
              href={pageAddress(row.slug)}
              aria-current={place.value === row.slug ? "page" : undefined}
            >
              <span class="s-shelf-title">{row.title}</span>
              <span class="s-shelf-slug">{shortSlug(row.slug)}</span>
              <span class="s-shelf-words">{plain(row.snippet ?? row.summary ?? "")}</span>
            </a>
          </li>
        ))}
      </ul>
      {next && (
        <button type="button" class="g-button" onClick={showMore}>
          {say.pagesMore}
        </button>
      )}
    </nav>
  );
}

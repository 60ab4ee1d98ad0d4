// One page of the library: its text, what it links to and what links to it, what happened, and its
// history.

import { useEffect, useRef, useState } from "preact/hooks";
import { stageStrings as say } from "../../strings";
import { type Around, around, type Link, type Memory, memory, type Refused, useAsked } from "./ask";
import { Editor, hasDraft } from "./edit";
import { follow } from "./follow";
import { Forget } from "./forget";
import { History, whenOf } from "./history";
import { listAddress, pageAddress, shortSlug } from "./place";
import { linkFrom, Text, truthOf } from "./text";

export function PageOf({ slug }: { slug: string }) {
  const { value, refused, again } = useAsked(slug, () => memory(slug));
  const [saved, setSaved] = useState<Memory | null>(null);
  const [editing, setEditing] = useState(() => hasDraft(slug));
  const head = useRef<HTMLHeadingElement>(null);
  const page = saved && value && saved.version > value.version ? saved : value;
  const shown = useRef(0);
  shown.current ||= page?.version ?? 0;
  const full = page?.slug;
  useEffect(() => {
    if (!full) return;
    // A page that nobody sees takes no stream; what was written meanwhile is there when a person
    // comes back.
    let leave = document.hidden ? undefined : follow(full, again);
    const look = () => {
      leave?.();
      leave = document.hidden ? undefined : follow(full, again);
      if (!document.hidden) again();
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      leave?.();
    };
  }, [full]);
  useEffect(() => {
    if (page && !editing) head.current?.focus({ preventScroll: true });
  }, [page === undefined, editing]);
  return (
    <article class="s-sheet">
      <p class="s-sheet-back">
        <a href={listAddress}>{say.pagesAll}</a>
      </p>
      {!page ? (
        refused ? (
          <>
            <h1>{shortSlug(slug)}</h1>
            <Missing refused={refused} again={again} />
          </>
        ) : (
          <p class="g-muted" role="status">
            {say.loading}
          </p>
        )
      ) : (
        <>
          <header>
            <h1 ref={head} tabIndex={-1}>
              {page.title}
            </h1>
            {!editing && (
              <>
                <button type="button" class="g-button" onClick={() => setEditing(true)}>
                  {say.edit}
                </button>
                <Forget page={page} />
              </>
            )}
          </header>
          <p class="s-sheet-facts g-muted">
            <span>{page.slug}</span>
            <span>{page.memory_type}</span>
            <span>{say.version(page.version)}</span>
            <span>{whenOf(page.updated_at)}</span>
            {page.tags.map((tag) => (
              <span key={tag} class="s-pill">
                {tag}
              </span>
            ))}
          </p>
          <p role="status" class="s-sheet-said">
            {!editing && page.version > shown.current
              ? page.version === saved?.version
                ? say.saved(page.version)
                : say.changed(page.version)
              : ""}
          </p>
          {editing ? (
            <Editor
              page={page}
              onDone={(done) => {
                if (done) setSaved(done);
                setEditing(false);
              }}
            />
          ) : (
            <Text source={truthOf(page.content)} title={page.title} page={linkFrom(page.slug)} />
          )}
          <Besides page={page} />
        </>
      )}
    </article>
  );
}

function Missing({ refused, again }: { refused: Refused; again: () => void }) {
  if (refused.candidates.length > 0)
    return (
      <div role="alert">
        <p>{say.pageAmbiguous}</p>
        <ul>
          {refused.candidates.map((slug) => (
            <li key={slug}>
              <a href={pageAddress(slug)}>{slug}</a>
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <p role="alert">
      {refused.status === 404
        ? say.pageMissing
        : refused.status === 401 || refused.status === 403
          ? say.pagesForbidden
          : say.pageFailed}{" "}
      <button type="button" class="g-button" onClick={again}>
        {say.again}
      </button>
    </p>
  );
}

function Besides({ page }: { page: Memory }) {
  const { value } = useAsked<Around>(`${page.slug}@${page.version}`, () => around(page.slug));
  const [open, setOpen] = useState(false);
  return (
    <>
      {value && value.timeline.length > 0 && (
        <section>
          <h2>{say.timeline}</h2>
          <ul class="s-timeline">
            {value.timeline.map((entry, index) => (
              <li key={index}>{entry}</li>
            ))}
          </ul>
        </section>
      )}
      {value && <Links title={say.links} links={value.links} />}
      {value && <Links title={say.backlinks} links={value.backlinks} />}
      <details class="s-past" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>{say.history}</h2>
        </summary>
        {open && <History slug={page.slug} current={page.version} />}
      </details>
    </>
  );
}

function Links({ title, links }: { title: string; links: readonly Link[] }) {
  if (links.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="s-links">
        {links.map((link, index) => (
          <li key={index}>
            <a href={pageAddress(link.slug)}>
              {link.title === link.slug ? shortSlug(link.slug) : link.title}
            </a>{" "}
            <span class="g-muted">
              {link.relationship}
              {link.until && `, ${say.until(link.until)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

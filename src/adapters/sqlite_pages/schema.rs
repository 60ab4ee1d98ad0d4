//! The tables, as numbered steps from one version of them to the next.

/// Each step leads from the version of its place in the list to the next one. A step that was
/// released never changes.
pub(super) const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    collection TEXT NOT NULL,
    slug TEXT NOT NULL,
    uuid TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    wing TEXT NOT NULL,
    truth TEXT NOT NULL,
    timeline TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (app, slug, collection)
) STRICT;
CREATE INDEX pages_by_change ON pages (app, updated_at DESC, id DESC);
CREATE INDEX pages_by_title ON pages (app, title COLLATE NOCASE);

CREATE TABLE versions (
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    written_at TEXT NOT NULL,
    written_by TEXT NOT NULL,
    PRIMARY KEY (page, version)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE words USING fts5 (
    title, slug, truth, timeline,
    content = 'pages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER words_added AFTER INSERT ON pages BEGIN
    INSERT INTO words (rowid, title, slug, truth, timeline)
    VALUES (new.id, new.title, new.slug, new.truth, new.timeline);
END;
CREATE TRIGGER words_removed AFTER DELETE ON pages BEGIN
    INSERT INTO words (words, rowid, title, slug, truth, timeline)
    VALUES ('delete', old.id, old.title, old.slug, old.truth, old.timeline);
END;
CREATE TRIGGER words_changed AFTER UPDATE ON pages BEGIN
    INSERT INTO words (words, rowid, title, slug, truth, timeline)
    VALUES ('delete', old.id, old.title, old.slug, old.truth, old.timeline);
    INSERT INTO words (rowid, title, slug, truth, timeline)
    VALUES (new.id, new.title, new.slug, new.truth, new.timeline);
END;

CREATE TABLE vectors (
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (page, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    from_page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    to_page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    relationship TEXT NOT NULL,
    is_written INTEGER NOT NULL,
    valid_from TEXT,
    valid_until TEXT,
    first_day TEXT,
    last_day TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX links_from ON links (from_page, relationship);
CREATE INDEX links_to ON links (to_page);

CREATE TABLE mentions (
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    collection TEXT NOT NULL,
    slug TEXT NOT NULL,
    PRIMARY KEY (page, collection, slug)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_of ON mentions (slug, collection);

CREATE TABLE tags (
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (page, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE assertions (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    subject TEXT NOT NULL COLLATE NOCASE,
    predicate TEXT NOT NULL,
    object TEXT NOT NULL COLLATE NOCASE,
    asserted_at TEXT NOT NULL
) STRICT;
CREATE INDEX assertions_by_subject ON assertions (subject, predicate);
CREATE INDEX assertions_by_page ON assertions (page);

CREATE TABLE raw_data (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    data TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    stored_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX raw_active ON raw_data (page, source) WHERE is_active = 1;
CREATE INDEX raw_by_source ON raw_data (page, source, id);

CREATE TABLE gaps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    page INTEGER REFERENCES pages (id) ON DELETE SET NULL,
    query_hash TEXT NOT NULL,
    detected_at TEXT NOT NULL,
    UNIQUE (app, query_hash)
) STRICT;
",
    "
CREATE INDEX pages_by_birth ON pages (app, created_at DESC, uuid DESC);
",
    "
ALTER TABLE gaps ADD COLUMN approved_by TEXT;
ALTER TABLE gaps ADD COLUMN approved_at TEXT;
ALTER TABLE gaps ADD COLUMN sensitivity TEXT NOT NULL DEFAULT 'internal' CHECK (
    sensitivity = 'internal' OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)
);
ALTER TABLE gaps ADD COLUMN query_text TEXT CHECK (
    query_text IS NULL OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)
);
ALTER TABLE gaps ADD COLUMN redacted_query TEXT CHECK (
    redacted_query IS NULL OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)
);
",
    "
CREATE TABLE embedded (
    page INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    model TEXT NOT NULL
) STRICT;
INSERT INTO embedded (page, model) SELECT page, min(model) FROM vectors GROUP BY page;

ALTER TABLE gaps ADD COLUMN confidence_score REAL;
ALTER TABLE gaps ADD COLUMN resolved_at TEXT;
ALTER TABLE gaps ADD COLUMN resolved_by_slug TEXT;
CREATE INDEX gaps_by_page ON gaps (page);

ALTER TABLE assertions ADD COLUMN asserted_by TEXT NOT NULL DEFAULT '';
ALTER TABLE assertions ADD COLUMN first_day TEXT NOT NULL DEFAULT '';
ALTER TABLE assertions ADD COLUMN last_day TEXT;
UPDATE assertions SET first_day = substr(asserted_at, 1, 10);
",
    // Pages are counted as they come and go: to count them at each new one takes as long as there are
    // pages. Statements are compared within their app, so that others' take no time.
    "
CREATE TABLE apps (
    name TEXT PRIMARY KEY,
    pages INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO apps (name, pages) SELECT app, count(*) FROM pages GROUP BY app;
CREATE TRIGGER page_counted AFTER INSERT ON pages BEGIN
    INSERT INTO apps (name, pages) VALUES (new.app, 1)
        ON CONFLICT (name) DO UPDATE SET pages = pages + 1;
END;
CREATE TRIGGER page_uncounted AFTER DELETE ON pages BEGIN
    UPDATE apps SET pages = pages - 1 WHERE name = old.app;
END;

ALTER TABLE assertions ADD COLUMN app TEXT NOT NULL DEFAULT '';
UPDATE assertions SET app = (SELECT app FROM pages WHERE id = assertions.page);
DROP INDEX assertions_by_subject;
CREATE INDEX assertions_by_subject ON assertions (app, subject, predicate);
",
];

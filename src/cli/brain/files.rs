//! Pages as files of a folder, each named by its slug: what one exports, another imports byte by byte.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::failure::{EXIT_NO_INPUT, EXIT_REFUSED, Failure};
use super::client::{Client, Refusal};
use crate::domain::brain::{Place, Slug};

/// The ending of the files.
const ENDING: &str = "md";
/// The code of a page that is not there.
const MISSING: &str = "BRAIN_NOT_FOUND";

/// What an import has done.
#[derive(Debug, Default)]
pub(super) struct Imported {
    created: usize,
    changed: usize,
    unchanged: usize,
    /// Files that are no pages.
    skipped: usize,
}

impl Imported {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "created": self.created,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "skipped": self.skipped,
        })
    }
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            created,
            changed,
            unchanged,
            skipped,
        } = self;
        write!(
            f,
            "{created} pages created, {changed} changed, {unchanged} unchanged; {skipped} other \
             files skipped"
        )
    }
}

/// Writes every page of a collection to a file, as it was written; how many there are.
pub(super) async fn export(
    client: &Client,
    folder: &Path,
    collection: Option<String>,
) -> Result<usize, Failure> {
    let collection = target(client, collection).await?;
    let mut written = 0;
    let mut cursor = Value::Null;
    loop {
        let params = match &cursor {
            Value::Null => json!({}),
            cursor => json!({ "cursor": cursor }),
        };
        let list = client.ask("resources/list", params).await?;
        let resources = list["resources"].as_array().into_iter().flatten();
        let places = resources.filter_map(|page| Place::from_uri(page["uri"].as_str()?));
        for place in places.filter(|place| place.collection == collection) {
            let (text, _) = match read(client, &place).await {
                // It may have gone meanwhile.
                Err(refusal) if refusal.code == MISSING => continue,
                read => read?,
            };
            write(
                &folder.join(format!("{}.{ENDING}", place.slug.as_str())),
                &text,
            )?;
            written += 1;
        }
        cursor = list["nextCursor"].clone();
        if cursor.is_null() {
            return Ok(written);
        }
    }
}

/// Puts every file of a folder into a page of a collection. What is wrong with the files is said
/// before any of them is put; what the server refuses, after all others are.
pub(super) async fn import(
    client: &Client,
    folder: &Path,
    collection: Option<String>,
) -> Result<Imported, Failure> {
    let mut imported = Imported::default();
    let mut problems = Vec::new();
    let mut pages = Vec::new();
    for file in files(folder)? {
        let Some(slug) = slug_of(folder, &file) else {
            imported.skipped += 1;
            continue;
        };
        match (Slug::parse(&slug), fs::read_to_string(&file)) {
            (Ok(slug), Ok(text)) => pages.push((slug, text)),
            (slug, text) => {
                let why = [slug.err(), text.err().map(|error| error.to_string())];
                let why: Vec<_> = why.into_iter().flatten().collect();
                problems.push(format!("{}: {}", file.display(), why.join("; ")));
            }
        }
    }
    if !problems.is_empty() {
        return Err(Failure(EXIT_NO_INPUT, problems.join("\n")));
    }
    let collection = target(client, collection).await?;
    for (slug, text) in pages {
        let collection = collection.clone();
        let place = Place { collection, slug };
        if let Err(refusal) = put(client, &place, &text, &mut imported).await {
            problems.push(format!("{place}: {}", refusal.message));
        }
    }
    if problems.is_empty() {
        return Ok(imported);
    }
    problems.push(imported.to_string());
    Err(Failure(EXIT_REFUSED, problems.join("\n")))
}

/// Puts a text into a page, unless it says that already.
async fn put(
    client: &Client,
    place: &Place,
    text: &str,
    imported: &mut Imported,
) -> Result<(), Refusal> {
    let mut arguments = json!({ "slug": place.to_string(), "content": text });
    let count = match read(client, place).await {
        Ok((known, _)) if known == text => {
            imported.unchanged += 1;
            return Ok(());
        }
        Ok((_, version)) => {
            arguments["expected_version"] = version;
            &mut imported.changed
        }
        Err(refusal) if refusal.code == MISSING => &mut imported.created,
        Err(refusal) => return Err(refusal),
    };
    client.call("brain_put", arguments).await?;
    *count += 1;
    Ok(())
}

/// The text of a page, and its version.
async fn read(client: &Client, place: &Place) -> Result<(String, Value), Refusal> {
    let params = json!({ "uri": place.to_uri() });
    let read = client.ask("resources/read", params).await?;
    let page = &read["contents"][0];
    let text = page["text"].as_str().unwrap_or_default().to_owned();
    Ok((text, page["_meta"]["proscenium/version"].clone()))
}

/// The collection that is named, or the one that takes new pages.
async fn target(client: &Client, named: Option<String>) -> Result<String, Failure> {
    let listed = client.call("brain_collections", json!({})).await?;
    let listed = &listed["structuredContent"]["collections"];
    let mut collections = listed.as_array().into_iter().flatten();
    let found = collections.find(|collection| match &named {
        Some(name) => collection["name"] == name.as_str(),
        None => collection["is_write_target"] == true,
    });
    let name = found.and_then(|collection| collection["name"].as_str());
    name.map(str::to_owned).ok_or_else(|| {
        let name = named.unwrap_or_default();
        Failure(EXIT_REFUSED, format!("collection not found: {name}"))
    })
}

/// All files of a folder and of those below it, sorted; what is hidden is none.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let failed = unusable(&folder);
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for entry in entries.map_err(&failed)? {
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if entry.file_type().map_err(&failed)?.is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The slug of a file, where it is one of a page.
fn slug_of(folder: &Path, file: &Path) -> Option<String> {
    let is_page = file.extension().is_some_and(|ending| ending == ENDING);
    let below = file.strip_prefix(folder).ok().filter(|_| is_page)?;
    let parts = below.with_extension("");
    let parts = parts.iter().map(|part| part.to_string_lossy());
    Some(parts.collect::<Vec<_>>().join("/"))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let write = || {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)
    };
    write().map_err(unusable(file))
}

fn unusable(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| {
        let why = format!("{} cannot be used: {error}", path.display());
        Failure(EXIT_NO_INPUT, why)
    }
}

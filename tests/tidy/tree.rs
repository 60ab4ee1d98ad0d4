//! The files under judgement: read from the disk, or written down in a test.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::lexer::Blanked;

/// One source file, parsed and with its comments and strings blanked.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) blanked: Blanked,
    pub(crate) parsed: Result<syn::File, String>,
}

impl Source {
    fn new(text: String) -> Self {
        let parsed = syn::parse_file(&text).map_err(|error| error.to_string());
        Self {
            blanked: Blanked::of(&text),
            parsed,
            text,
        }
    }

    /// `:line` of the first place outside tests where one of the words stands, or nothing.
    pub(crate) fn line_of(&self, candidates: &[&str]) -> String {
        candidates
            .iter()
            .find_map(|word| self.blanked.product.find(word))
            .map(|at| format!(":{}", self.blanked.line(at)))
            .unwrap_or_default()
    }
}

/// Where a mount outside `src/` leads, as it is written in [`MOUNTS`].
pub(crate) const EXAMPLES: &str = "../../examples/";
/// The one file that mounts files from outside `src/`: what the demo plays are the examples.
pub(crate) const MOUNTS: &str = "demo/mod.rs";

/// Paths are relative to the folder and written with `/`; a mounted example is `../examples/…`.
pub(crate) struct Tree {
    pub(crate) src: BTreeMap<String, Source>,
    pub(crate) tests: BTreeMap<String, Source>,
}

impl Tree {
    pub(crate) fn read(root: &Path) -> Self {
        let mut src = folder(&root.join("src"));
        let mounts = src.get(MOUNTS).map(|source| source.text.clone());
        for line in mounts.unwrap_or_default().lines() {
            let Some((_, rest)) = line.split_once(EXAMPLES) else {
                continue;
            };
            let name = rest.split('"').next().unwrap_or(rest);
            if let Ok(text) = fs::read_to_string(root.join("examples").join(name)) {
                src.insert(format!("../examples/{name}"), Source::new(text));
            }
        }
        Self {
            src,
            tests: folder(&root.join("tests")),
        }
    }

    pub(crate) fn written<'a>(
        src: impl IntoIterator<Item = (&'a str, String)>,
        tests: impl IntoIterator<Item = (&'a str, String)>,
    ) -> Self {
        let sources = |(path, text): (&str, String)| (path.to_owned(), Source::new(text));
        Self {
            src: src.into_iter().map(sources).collect(),
            tests: tests.into_iter().map(sources).collect(),
        }
    }
}

fn folder(root: &Path) -> BTreeMap<String, Source> {
    let mut sources = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => panic!("{}: {error}", folder.display()),
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = match fs::read_to_string(&path) {
                    Ok(text) => text,
                    Err(error) => panic!("{}: {error}", path.display()),
                };
                let relative = path.strip_prefix(root).unwrap_or(&path);
                let name = relative.to_string_lossy().replace('\\', "/");
                sources.insert(name, Source::new(text));
            }
        }
    }
    sources
}

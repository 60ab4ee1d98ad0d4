//! The guest's code: whole, or cut down to what one view needs with the data it has.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use crate::domain::digest::{hex, sha256};

/// Everything any view needs to be drawn, built from `web-host`.
pub(crate) const GUEST: &str = include_str!("../../../web-host/dist/guest.js");
/// Which bytes of it are needed for what, written by the same build.
const MANIFEST: &str = include_str!("../../../web-host/dist/guest.json");
/// Charts that are painted where they have very many points.
const PAINTED: [&str; 3] = ["line", "area", "bar"];
/// Hex digits of a content hash in a URL.
const HASH_DIGITS: usize = 12;

/// The guest in pieces. Each takes what it needs from pieces before it.
#[derive(Deserialize)]
struct Manifest {
    /// First byte of each piece, and the byte after its last.
    pieces: Vec<(usize, usize)>,
    /// Pieces of every shell.
    always: Vec<usize>,
    /// What paints charts of very many points.
    painter: Painter,
    /// Pieces of each component besides.
    components: HashMap<String, Vec<usize>>,
}

#[derive(Deserialize)]
struct Painter {
    /// It needs no other.
    piece: usize,
    /// Rows up to which a chart does without it.
    above: usize,
}

impl Manifest {
    fn built() -> Option<&'static Self> {
        static BUILT: OnceLock<Option<Manifest>> = OnceLock::new();
        // That it can be read is a test of this file; a guest that is too large still draws.
        BUILT
            .get_or_init(|| serde_json::from_str(MANIFEST).ok())
            .as_ref()
    }

    fn piece(&self, piece: usize) -> Option<&'static str> {
        let (start, end) = *self.pieces.get(piece)?;
        GUEST.get(start..end)
    }

    fn code(&self, components: &[&str], has_painter: bool) -> Option<String> {
        let mut pieces: BTreeSet<_> = self.always.iter().copied().collect();
        for name in components {
            pieces.extend(self.components.get(*name)?);
        }
        pieces.extend(has_painter.then_some(self.painter.piece));
        pieces.into_iter().map(|piece| self.piece(piece)).collect()
    }
}

/// The painter by itself, for shells whose data grew after they were written.
pub(crate) fn painter() -> Option<&'static str> {
    let manifest = Manifest::built()?;
    manifest.piece(manifest.painter.piece)
}

/// Name of the painter's file: it changes with its content.
pub(crate) fn painter_file() -> Option<&'static str> {
    static FILE: OnceLock<Option<String>> = OnceLock::new();
    let file = || Some(format!("painter.{}.js", digits(painter()?)));
    FILE.get_or_init(file).as_deref()
}

fn digits(code: &str) -> String {
    hex(&sha256(code.as_bytes()))[..HASH_DIGITS].to_owned()
}

/// First digits of the guest's SHA-256: its address changes with its content.
pub(crate) fn hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| digits(GUEST))
}

/// The code of one shell.
pub(crate) struct Code {
    /// What the shell carries.
    pub(crate) carried: String,
    /// What it may fetch later, once there is more to draw than it was written for.
    pub(crate) later: Option<&'static str>,
}

/// The code that draws one stored view with the props of now. A view that names what no piece is for
/// gets the whole.
pub(crate) fn for_view(view: &Value, props: Option<&Value>) -> Code {
    let components = view["view"]["components"].as_array();
    let names: Option<Vec<&str>> = components
        .into_iter()
        .flatten()
        .map(|component| component["component"].as_str())
        .collect();
    let cut = Manifest::built().zip(names).and_then(|(manifest, names)| {
        let charts: Vec<&Value> = charts(view).collect();
        let above = manifest.painter.above;
        let is_painted = charts.iter().any(|chart| rows(chart, props) > above);
        Some(Code {
            carried: manifest.code(&names, is_painted)?,
            later: painter().filter(|_| !charts.is_empty() && !is_painted),
        })
    });
    cut.unwrap_or_else(|| Code {
        carried: GUEST.to_owned(),
        later: None,
    })
}

/// The code that draws any view. What very few of them need is fetched by those.
pub(crate) fn for_any() -> String {
    Manifest::built()
        .and_then(|manifest| {
            let names: Vec<&str> = manifest.components.keys().map(String::as_str).collect();
            manifest.code(&names, false)
        })
        .unwrap_or_else(|| GUEST.to_owned())
}

/// The charts of a view that are painted where they have very many points.
fn charts(view: &Value) -> impl Iterator<Item = &Value> {
    let components = view["view"]["components"].as_array();
    components.into_iter().flatten().filter(|component| {
        component["component"] == "Chart" && PAINTED.iter().any(|kind| component["kind"] == *kind)
    })
}

/// The rows a chart has now. Channels are empty when a shell is written, and what stands inside of a
/// list's items is not looked for: such a chart fetches what it lacks.
fn rows(chart: &Value, props: Option<&Value>) -> usize {
    let path = chart["data"]["path"].as_str();
    let place = path.and_then(|path| path.strip_prefix("/props"));
    let rows = place
        .zip(props)
        .and_then(|(place, props)| props.pointer(place)?.as_array());
    rows.map_or(0, Vec::len)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    use super::*;

    fn view(components: &[&str]) -> Value {
        let components: Vec<_> = components
            .iter()
            .map(|name| json!({ "component": name }))
            .collect();
        json!({"view": {"components": components}})
    }

    #[test]
    fn the_pieces_are_the_whole_guest_and_name_every_component_of_the_catalog() {
        let manifest = Manifest::built().expect("a manifest");
        let whole: String = manifest
            .pieces
            .iter()
            .map(|(start, end)| &GUEST[*start..*end])
            .collect();
        assert_eq!(whole, GUEST);
        let last = manifest.pieces.len() - 1;
        assert!(manifest.always.contains(&last), "what boots comes last");
        let catalog: Value = serde_json::from_str(crate::domain::view::CATALOG).expect("JSON");
        let catalog = catalog["components"].as_object().expect("components");
        for name in catalog.keys() {
            assert!(manifest.components.contains_key(name), "{name}");
        }
    }

    #[test]
    fn a_shell_carries_what_its_view_names_and_no_more() {
        let code = for_view(&view(&["Text", "Column"]), None).carried;
        assert!(code.contains("({Text:") && code.contains("({Column:"));
        assert!(
            GUEST.contains("({Table:") && !code.contains("({Table:"),
            "a table that nobody asked for"
        );
        assert!(code.len() < GUEST.len());
        let same = for_view(&view(&["Column", "Text", "Text"]), None);
        assert_eq!(code, same.carried);
        assert!(same.later.is_none(), "nothing to paint");
    }

    #[test]
    fn a_view_with_an_unknown_component_gets_the_whole_guest() {
        let code = for_view(&view(&["Text", "Hologram"]), None);
        assert_eq!(code.carried, GUEST);
    }

    #[test]
    fn the_painter_is_carried_where_a_chart_has_more_rows_than_it_draws_by_itself() {
        let painter = painter().expect("a painter");
        let above = Manifest::built().expect("a manifest").painter.above;
        let drawn = |kind: &str, path: &str, rows: usize| {
            let view = json!({"view": {"components": [
                {"component": "Chart", "kind": kind, "data": {"path": path}},
            ]}});
            for_view(&view, Some(&json!({"a": {"b/c": vec![1; rows]}})))
        };
        for kind in PAINTED {
            let many = drawn(kind, "/props/a/b~1c", above + 1);
            assert!(many.carried.contains(painter) && many.later.is_none());
            let few = drawn(kind, "/props/a/b~1c", above);
            assert!(!few.carried.contains(painter), "{kind}");
            assert_eq!(few.later, Some(painter), "{kind}");
            assert_eq!(many.carried.len() - few.carried.len(), painter.len());
        }
        for path in ["/props/other", "/streams/a", "b", "/props"] {
            let elsewhere = drawn("line", path, above + 1);
            assert!(!elsewhere.carried.contains(painter), "{path}");
            assert_eq!(elsewhere.later, Some(painter), "{path}");
        }
        let pie = drawn("pie", "/props/a/b~1c", above + 1);
        assert!(!pie.carried.contains(painter) && pie.later.is_none());
        assert!(!for_any().contains(painter));
        assert_eq!(for_any().len(), GUEST.len() - painter.len());
    }

    #[test]
    fn the_guest_fetches_the_painter_by_the_name_and_the_hash_it_has() {
        let painter = painter().expect("a painter");
        let file = painter_file().expect("a file");
        let hash = STANDARD.encode(sha256(painter.as_bytes()));
        let code = for_any();
        assert!(code.contains(file) && code.contains(&format!("sha256-{hash}")));
    }

    #[test]
    fn the_guest_can_stand_inside_a_script() {
        assert!(!GUEST.contains("</script"));
        assert!(!GUEST.contains("<!--"));
    }
}

//! The guest's code: whole, or cut down to what one view needs.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use crate::domain::digest::{hex, sha256};

/// Everything any view needs to be drawn, built from `web-host`.
pub(super) const GUEST: &str = include_str!("../../web-host/dist/guest.js");
/// Which bytes of it are needed for what, written by the same build.
const MANIFEST: &str = include_str!("../../web-host/dist/guest.json");
/// Hex digits of a content hash in a URL.
const HASH_DIGITS: usize = 12;

/// The guest in pieces. Each takes what it needs from pieces before it.
#[derive(Deserialize)]
struct Manifest {
    /// First byte of each piece, and the byte after its last.
    pieces: Vec<(usize, usize)>,
    /// Pieces of every shell.
    always: Vec<usize>,
    /// Pieces of each component besides.
    components: HashMap<String, Vec<usize>>,
}

impl Manifest {
    fn built() -> Option<&'static Self> {
        static BUILT: OnceLock<Option<Manifest>> = OnceLock::new();
        // That it can be read is a test of this file; a guest that is too large still draws.
        BUILT
            .get_or_init(|| serde_json::from_str(MANIFEST).ok())
            .as_ref()
    }

    fn code(&self, components: &[&str]) -> Option<String> {
        let mut pieces: BTreeSet<_> = self.always.iter().collect();
        for name in components {
            pieces.extend(self.components.get(*name)?);
        }
        let code = |piece: &usize| {
            let (start, end) = *self.pieces.get(piece.to_owned())?;
            GUEST.get(start..end)
        };
        pieces.into_iter().map(code).collect()
    }
}

/// First digits of the guest's SHA-256: its address changes with its content.
pub(super) fn hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hex(&sha256(GUEST.as_bytes()))[..HASH_DIGITS].to_owned())
}

/// The code that draws one stored view. A view that names what no piece is for gets the whole.
pub(super) fn for_view(view: &Value) -> String {
    let components = view["view"]["components"].as_array();
    let names: Option<Vec<&str>> = components
        .into_iter()
        .flatten()
        .map(|component| component["component"].as_str())
        .collect();
    Manifest::built()
        .zip(names)
        .and_then(|(manifest, names)| manifest.code(&names))
        .unwrap_or_else(|| GUEST.to_owned())
}

#[cfg(test)]
mod tests {
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
        let code = for_view(&view(&["Text", "Column"]));
        assert!(code.contains("`Text`") && code.contains("`Column`"));
        assert!(!code.contains("`Table`"), "a table that nobody asked for");
        assert!(code.len() < GUEST.len());
        assert_eq!(code, for_view(&view(&["Column", "Text", "Text"])));
    }

    #[test]
    fn a_view_with_an_unknown_component_gets_the_whole_guest() {
        assert_eq!(for_view(&view(&["Text", "Hologram"])), GUEST);
    }

    #[test]
    fn the_guest_can_stand_inside_a_script() {
        assert!(!GUEST.contains("</script"));
        assert!(!GUEST.contains("<!--"));
    }
}

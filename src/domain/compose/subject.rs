//! One value to draw: where it stands, what it is called, and what it is.

use serde_json::{Value, json};

use super::shapes::Wish;
use super::words::{measured, titled};

/// One value to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    /// The pointer to it.
    pub(super) path: &'a str,
    /// Its name.
    pub(super) name: &'a str,
    /// Its schema.
    pub(super) schema: &'a Value,
    /// What it is, in the contract's words.
    pub(super) description: Option<&'a str>,
    /// Where the currency of amounts stands.
    pub(super) currency: Option<&'a str>,
    /// What the intent asks for.
    pub(super) wish: Option<Wish>,
}

impl Subject<'_> {
    /// What stands above it.
    pub(super) fn title(&self) -> Value {
        json!(titled(self.name, self.schema))
    }

    /// Shown while there is none.
    pub(super) fn empty_text(&self) -> String {
        let title = titled(self.name, self.schema);
        // Our sentence around a foreign word would be neither language.
        if title.is_ascii() {
            format!("No {} yet.", title.to_lowercase())
        } else {
            "–".to_owned()
        }
    }
}

/// The label of a value; a unit that the format shows is not said twice, others are.
pub(super) fn value_label(name: &str, schema: &Value, format: &str) -> String {
    let text = titled(name, schema);
    let said = match format {
        "bytes" => text.strip_suffix(" bytes"),
        "percent" => text.strip_suffix(" percent"),
        "duration" => text.strip_suffix(" seconds"),
        "image" => text.strip_suffix(" URL"),
        "money" => [" minor", " cents", " subunits", " subunit"]
            .iter()
            .find_map(|unit| text.strip_suffix(unit)),
        _ => None,
    };
    if let Some(bare) = said {
        return bare.to_owned();
    }
    if schema.get("title").is_none()
        && let Some((label, unit)) = measured(name)
    {
        return format!("{label} ({unit})");
    }
    text
}

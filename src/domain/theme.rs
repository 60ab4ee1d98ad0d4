//! Themes: named sets of design tokens, checked before any browser sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::wire::theme::{SliceTheme, ThemeMode, ThemeRow};

/// Tokens of one theme; browsers accept no more (tools.md §11).
const VARIABLES_MAX: usize = 200;
/// Characters of a token's value (tools.md §11).
const VALUE_CHARS_MAX: usize = 256;
/// Characters of a theme's id and name (tools.md §11).
const NAME_CHARS_MAX: usize = 64;
/// Characters of a description, which is one line of a list.
const DESCRIPTION_CHARS_MAX: usize = 280;
/// Themes one server offers; nobody chooses from more.
const THEMES_MAX: usize = 100;
/// The prefix of every token's name.
const TOKEN_PREFIX: &str = "--ggui-";

/// The themes every server offers.
const BUILT_IN: &str = include_str!("../../schemas/themes.toml");

/// One theme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) struct Theme {
    /// The id by which agents choose it.
    pub(crate) id: String,
    /// The name people see.
    pub(crate) name: String,
    /// A description of how it looks.
    #[serde(default)]
    description: String,
    /// The modes it is made for; values that differ between them use `light-dark(…)`.
    modes: Vec<ThemeMode>,
    /// Tokens and their values.
    tokens: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    theme: Vec<Theme>,
}

impl Theme {
    /// The theme as a browser gets it.
    pub(crate) fn slice(&self) -> SliceTheme {
        SliceTheme {
            mode: match self.modes.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
            name: self.name.clone(),
            css_variables: self.tokens.clone(),
        }
    }

    fn row(&self) -> ThemeRow {
        ThemeRow {
            id: self.id.clone(),
            name: self.name.clone(),
            description: self.description.clone(),
            modes: self.modes.clone(),
        }
    }

    fn problems(&self, report: &mut dyn FnMut(String)) {
        let is_slug = |text: &str| {
            let mut chars = text.chars();
            chars.next().is_some_and(|c| c.is_ascii_alphanumeric())
                && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        if !is_slug(&self.id) || self.id.len() > NAME_CHARS_MAX {
            report(format!(
                "id: must be 1 to {NAME_CHARS_MAX} chars, digits, dashes or dots"
            ));
        }
        if self.name.is_empty() || self.name.chars().count() > NAME_CHARS_MAX {
            report(format!("name: must have 1 to {NAME_CHARS_MAX} characters"));
        }
        if self.description.chars().count() > DESCRIPTION_CHARS_MAX {
            report(format!(
                "description: must have at most {DESCRIPTION_CHARS_MAX} characters"
            ));
        }
        if self.modes.is_empty() {
            report("modes: must name light, dark or both".to_owned());
        }
        if self.tokens.len() > VARIABLES_MAX {
            report(format!("tokens: must be at most {VARIABLES_MAX}"));
        }
        for (name, value) in &self.tokens {
            let rest = name.strip_prefix(TOKEN_PREFIX).unwrap_or_default();
            let is_token =
                !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            if !is_token {
                report(format!("tokens.{name}: must begin with {TOKEN_PREFIX}"));
            }
            if !is_value(value) {
                report(format!(
                    "tokens.{name}: must be 1 to {VALUE_CHARS_MAX} characters without ; {{ }} < > @ or a comment"
                ));
            }
        }
    }
}

/// Whether a value cannot end its CSS declaration early.
fn is_value(value: &str) -> bool {
    (1..=VALUE_CHARS_MAX).contains(&value.chars().count())
        && !value.contains([';', '{', '}', '<', '>', '@'])
        && !value.contains("/*")
        && !value.chars().any(char::is_control)
}

/// Every theme a server offers.
#[derive(Debug, Clone)]
pub(crate) struct Themes(Arc<[Arc<Theme>]>);

impl Themes {
    /// Loads the built-in themes and those of a TOML text, which replace built-in ones of the same
    /// id.
    ///
    /// # Errors
    /// Every problem of every theme at once.
    pub(crate) fn load(own: &str) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let mut themes = read(BUILT_IN, &mut problems);
        let own = read(own, &mut problems);
        let mut ids = BTreeSet::new();
        for (at, theme) in own.iter().enumerate() {
            if !ids.insert(theme.id.clone()) {
                problems.push(format!("theme[{at}].id: \"{}\" stands twice", theme.id));
            }
        }
        themes.retain(|theme| !ids.contains(&theme.id));
        themes.extend(own);
        if themes.len() > THEMES_MAX {
            problems.push(format!("theme: must be at most {THEMES_MAX}"));
        }
        if problems.is_empty() {
            Ok(Self(themes.into_iter().map(Arc::new).collect()))
        } else {
            Err(problems)
        }
    }

    /// The theme with this id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Theme>> {
        let found = self.0.iter().find(|theme| theme.id == id);
        found.map(Arc::clone)
    }

    /// All themes, as they are listed for agents.
    pub(crate) fn rows(&self) -> Vec<ThemeRow> {
        self.0.iter().map(|theme| theme.row()).collect()
    }

    /// The ids of all themes.
    pub(crate) fn ids(&self) -> Vec<&str> {
        self.0.iter().map(|theme| theme.id.as_str()).collect()
    }
}

fn read(text: &str, problems: &mut Vec<String>) -> Vec<Theme> {
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            problems.push(error.message().to_owned());
            return Vec::new();
        }
    };
    for (at, theme) in file.theme.iter().enumerate() {
        theme.problems(&mut |problem| problems.push(format!("theme[{at}].{problem}")));
    }
    file.theme
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_themes_are_valid_and_name_tokens_the_browser_knows() {
        let tokens = include_str!("../../web-host/src/catalog/styles/tokens.css");
        let themes = Themes::load("").unwrap();
        assert!(themes.0.len() >= 3);
        for theme in themes.0.iter() {
            for name in theme.tokens.keys() {
                assert!(tokens.contains(&format!("{name}:")), "{name}");
            }
        }
    }

    #[test]
    fn every_problem_of_every_theme_is_reported_at_once() {
        let text = r##"
            [[theme]]
            id = "Nice theme"
            name = ""
            modes = []
            tokens = { "--color" = "red", "--ggui-a" = "red; background: url(x)", "--ggui-b" = "/* */" }
            [[theme]]
            id = "x"
            name = "X"
            modes = ["light"]
            tokens = { "--ggui-color-text" = "#000" }
            [[theme]]
            id = "x"
            name = "X"
            modes = ["light"]
            tokens = {}
        "##;
        let problems = Themes::load(text).unwrap_err();
        assert_eq!(problems.len(), 7, "{problems:#?}");
        assert!(problems[0].starts_with("theme[0].id: "));
        let unknown = Themes::load("[[theme]]\nid = \"x\"\ncolour = 1").unwrap_err();
        assert_eq!(unknown.len(), 1, "{unknown:?}");
    }

    #[test]
    fn a_theme_of_the_operator_takes_the_place_of_a_built_in_one() {
        let built_in = Themes::load("").unwrap();
        let id = built_in.ids()[0].to_owned();
        let text =
            format!("[[theme]]\nid = \"{id}\"\nname = \"Ours\"\nmodes = [\"dark\"]\ntokens = {{}}");
        let themes = Themes::load(&text).unwrap();
        assert_eq!(themes.ids().len(), built_in.ids().len());
        let slice = themes.get(&id).unwrap().slice();
        assert_eq!(slice.name, "Ours");
        assert_eq!(slice.mode, Some(ThemeMode::Dark));
    }
}

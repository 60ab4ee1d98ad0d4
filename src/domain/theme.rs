//! Themes: named sets of design tokens, checked before any browser sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::wire::theme::{SliceTheme, ThemeMode, ThemeRow};

/// Tokens of one theme, as many as a browser takes (tools.md §11).
const VARIABLES_MAX: usize = 200;
/// Characters of a token's value (tools.md §11).
const VALUE_CHARS_MAX: usize = 256;
/// Characters of a theme's id and name (tools.md §11).
const NAME_CHARS_MAX: usize = 64;
/// Characters of a description: one line of a list.
const DESCRIPTION_CHARS_MAX: usize = 280;
/// Themes one server offers: more than anybody chooses from.
const THEMES_MAX: usize = 100;
/// What the names of all tokens begin with.
const TOKEN_PREFIX: &str = "--ggui-";

/// The themes every server has.
const BUILT_IN: &str = include_str!("../../schemas/themes.toml");

/// One theme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) struct Theme {
    /// How it is asked for.
    pub(crate) id: String,
    /// How people call it.
    pub(crate) name: String,
    /// How it looks.
    #[serde(default)]
    description: String,
    /// What it is made for; values that differ say `light-dark(…)`.
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
    /// As a browser is given it.
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

    fn problems(&self, tell: &mut dyn FnMut(String)) {
        let is_slug = |text: &str| {
            let mut letters = text.chars();
            letters.next().is_some_and(|c| c.is_ascii_alphanumeric())
                && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        if !is_slug(&self.id) || self.id.len() > NAME_CHARS_MAX {
            tell(format!(
                "id: must be 1 to {NAME_CHARS_MAX} letters, digits, dashes or dots"
            ));
        }
        if self.name.is_empty() || self.name.chars().count() > NAME_CHARS_MAX {
            tell(format!("name: must have 1 to {NAME_CHARS_MAX} characters"));
        }
        if self.description.chars().count() > DESCRIPTION_CHARS_MAX {
            tell(format!(
                "description: must have at most {DESCRIPTION_CHARS_MAX} characters"
            ));
        }
        if self.modes.is_empty() {
            tell("modes: must name light, dark or both".to_owned());
        }
        if self.tokens.len() > VARIABLES_MAX {
            tell(format!("tokens: must be at most {VARIABLES_MAX}"));
        }
        for (name, value) in &self.tokens {
            let rest = name.strip_prefix(TOKEN_PREFIX).unwrap_or_default();
            let is_token =
                !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            if !is_token {
                tell(format!("tokens.{name}: must begin with {TOKEN_PREFIX}"));
            }
            if !is_value(value) {
                tell(format!(
                    "tokens.{name}: must be 1 to {VALUE_CHARS_MAX} characters without ; {{ }} < > @ or a comment"
                ));
            }
        }
    }
}

/// Whether a value stays within its declaration wherever it is written.
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
    /// The built-in themes and those of a TOML text; one of the same id takes the built-in's place.
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

    /// The theme of this id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Theme>> {
        let found = self.0.iter().find(|theme| theme.id == id);
        found.map(Arc::clone)
    }

    /// All of them, as agents are shown them.
    pub(crate) fn rows(&self) -> Vec<ThemeRow> {
        self.0.iter().map(|theme| theme.row()).collect()
    }

    /// Their ids.
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
    fn the_built_in_themes_are_sound_and_name_tokens_the_browser_knows() {
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
    fn every_problem_of_every_theme_is_told_at_once() {
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

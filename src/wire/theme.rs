//! Themes, as they are listed for agents and sent to browsers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One theme of the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ThemeRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it looks.
    pub description: String,
    /// What it is made for.
    pub modes: Vec<ThemeMode>,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThemeMode {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// A theme as a slice carries it (hosting.md §5). Without a mode, the host's mode applies.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SliceTheme {
    /// The mode, if the theme is made for only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ThemeMode>,
    /// Its name.
    pub name: String,
    /// Design tokens and their values.
    pub css_variables: BTreeMap<String, String>,
}

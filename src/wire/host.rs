//! What a mount reports about the host around it: a closed projection of the host's context
//! (live-channel.md §7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::object::only_some;

/// The host around a mount. Every member is optional, and there are no others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HostContext {
    /// How the host can show a mount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_display_modes: Option<Vec<DisplayMode>>,
    /// How it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_display_mode: Option<DisplayMode>,
    /// Room of the mount, in CSS pixels.
    #[serde(
        default,
        deserialize_with = "only_some",
        skip_serializing_if = "Option::is_none"
    )]
    pub container_dimensions: Option<ContainerDimensions>,
    /// What the host runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// What the person can do.
    #[serde(
        default,
        deserialize_with = "only_some",
        skip_serializing_if = "Option::is_none"
    )]
    pub device_capabilities: Option<DeviceCapabilities>,
    /// A BCP 47 tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// An IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// How a mount is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DisplayMode {
    /// Over everything.
    Fullscreen,
    /// In the conversation.
    Inline,
    /// In a small window of its own.
    Pip,
}

/// Room of a mount.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContainerDimensions {
    /// Exact width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Number>,
    /// Most width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_width: Option<Number>,
    /// Exact height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<Number>,
    /// Most height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_height: Option<Number>,
}

/// What a host runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// A program of its own.
    Desktop,
    /// A telephone or tablet.
    Mobile,
    /// A browser.
    Web,
}

/// What a person can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeviceCapabilities {
    /// Touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touch: Option<bool>,
    /// Point without pressing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hover: Option<bool>,
}

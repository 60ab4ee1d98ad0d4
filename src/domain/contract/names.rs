//! The syntax of the names a contract may use (contract.md §2).

use super::limits::NAME_BYTES_MAX;

/// Names with this prefix belong to the server.
pub(super) const RESERVED_PREFIX: &str = "_ggui:";

/// The package whose hooks every runtime includes.
pub(super) const STDLIB_PACKAGE: &str = "@ggui-ai/gadgets";

/// The hooks of [`STDLIB_PACKAGE`]: name, description, and the browser permission each needs.
pub(super) const STDLIB_HOOKS: &[(&str, &str, Option<&str>)] = &[
    ("useCamera", "Takes a picture.", Some("camera")),
    (
        "useClipboardPaste",
        "Reads the clipboard.",
        Some("clipboard-read"),
    ),
    (
        "useClipboardWrite",
        "Copies to the clipboard.",
        Some("clipboard-write"),
    ),
    ("useFilePicker", "Lets the person pick files.", None),
    (
        "useGeolocation",
        "Tells where the device is.",
        Some("geolocation"),
    ),
    ("useMicrophone", "Records sound.", Some("microphone")),
    (
        "useNotifications",
        "Shows notifications.",
        Some("notifications"),
    ),
];

/// How similar two names have to be for a suggestion, from 0 to 1; `props` and `propsSpec` just
/// are.
const ALIKE_MIN: f64 = 0.8;

/// Suggests the known name that is most similar to `name`; case and underscores are ignored.
pub(super) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let plain = |name: &str| -> String {
        let chars = name.chars().filter(|c| c.is_alphanumeric());
        chars.flat_map(char::to_lowercase).collect()
    };
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let name = plain(name);
    let (_, nearest) = known
        .map(|known| (strsim::jaro_winkler(&name, &plain(known)), known))
        .filter(|(alike, _)| *alike >= ALIKE_MIN)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(format!("; did you mean \"{nearest}\"?"))
}

/// Whether `name` is a package name: `leaflet`, `@acme/maps`.
pub(super) fn is_package(name: &str) -> bool {
    let bare = match name.strip_prefix('@') {
        None => name,
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, bare)) if is_package_part(scope) => bare,
            _ => return false,
        },
    };
    is_package_part(bare)
}

fn is_package_part(part: &str) -> bool {
    part.len() <= NAME_BYTES_MAX
        && part.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
        && part
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-'))
}

/// Whether `name` is an export name: a hook `useThing` or a component `Thing`.
pub(super) fn is_export(name: &str) -> bool {
    let component = name.strip_prefix("use").unwrap_or(name);
    name.len() <= NAME_BYTES_MAX
        && component.starts_with(|first: char| first.is_ascii_uppercase())
        && component.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The name of a slot's context in the interface: `unit_price` becomes `UnitPriceContext`.
pub(super) fn context_name(slot: &str) -> String {
    let mut name = String::with_capacity(slot.len() + 7);
    for word in slot.split(|c: char| !c.is_alphanumeric()) {
        let mut chars = word.chars();
        name.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(chars.as_str());
    }
    name.push_str("Context");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_exports_follow_their_grammar() {
        for good in [
            "leaflet",
            "@ggui-ai/gadgets",
            "@ggui-samples/leaflet",
            "0x.y_z",
        ] {
            assert!(is_package(good), "{good}");
        }
        for bad in ["Leaflet", "@acme", "@/x", "a/b", "", "@acme/"] {
            assert!(!is_package(bad), "{bad}");
        }
        for good in ["useLeafletMap", "RevenueChart", "User"] {
            assert!(is_export(good), "{good}");
        }
        for bad in ["leafletmap", "use", "uselow", "A-b", ""] {
            assert!(!is_export(bad), "{bad}");
        }
    }

    #[test]
    fn a_similar_name_is_suggested() {
        let known = || ["propsSpec", "actionSpec", "streamSpec", "contextSpec"].into_iter();
        for (name, meant) in [
            ("props", "propsSpec"),
            ("props_spec", "propsSpec"),
            ("actions", "actionSpec"),
            ("actionsSpec", "actionSpec"),
            ("Streams", "streamSpec"),
            ("context", "contextSpec"),
        ] {
            let suggestion = format!("; did you mean \"{meant}\"?");
            assert_eq!(did_you_mean(name, known()), Some(suggestion), "{name}");
        }
        for name in ["", "title", "version", "layout"] {
            assert_eq!(did_you_mean(name, known()), None, "{name}");
        }
    }

    #[test]
    fn a_slot_names_its_context_in_pascal_case() {
        assert_eq!(context_name("coupon"), "CouponContext");
        assert_eq!(context_name("unit_price"), "UnitPriceContext");
        assert_eq!(context_name("selectedRow"), "SelectedRowContext");
    }
}

//! Gadgets (contract.md §14): the browser abilities a contract may name.

use std::collections::BTreeMap;

use super::names::{STDLIB_HOOKS, STDLIB_PACKAGE};
use crate::wire::contract::Contract;
use crate::wire::discovery::{GadgetHook, GadgetPackage};

/// The supported version of the standard package.
const STDLIB_VERSION: &str = "0.11.0";

/// Why gadgets of a contract are unavailable; each variant holds a line per export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GadgetProblem {
    /// The same export is named under two packages.
    DuplicateHook(Vec<String>),
    /// The export belongs to another package than the one named.
    PackageMismatch(Vec<String>),
    /// No package has the export.
    NotRegistered(Vec<String>),
}

/// The available packages: only the standard one.
pub(crate) fn packages() -> Vec<GadgetPackage> {
    let exports = STDLIB_HOOKS
        .iter()
        .map(|(hook, description, permission)| GadgetHook {
            hook,
            description,
            permission: *permission,
        })
        .collect();
    vec![GadgetPackage {
        package: STDLIB_PACKAGE,
        version: STDLIB_VERSION,
        exports,
    }]
}

/// Checks that every gadget of a contract is available.
///
/// # Errors
/// The gravest kind of problem: an export under two packages, then one that no package has, then
/// one of another package.
pub(crate) fn check_gadgets(contract: &Contract) -> Result<(), GadgetProblem> {
    let named = || {
        let packages = contract.client_capabilities.iter().flat_map(|c| &c.gadgets);
        packages.flat_map(|(package, exports)| exports.keys().map(move |name| (package, name)))
    };
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (package, export) in named() {
        owners.entry(export).or_default().push(package);
    }
    let twice: Vec<_> = owners
        .iter()
        .filter(|(_, packages)| packages.len() > 1)
        .map(|(export, packages)| format!("{export} is claimed by {}", packages.join(" and ")))
        .collect();
    if !twice.is_empty() {
        return Err(GadgetProblem::DuplicateHook(twice));
    }
    let is_known = |export: &str| STDLIB_HOOKS.iter().any(|(hook, ..)| *hook == export);
    let (known, unknown): (Vec<_>, Vec<_>) = named().partition(|(_, export)| is_known(export));
    if !unknown.is_empty() {
        let lines = unknown
            .iter()
            .map(|(package, export)| format!("{package}: {export} is registered nowhere"));
        return Err(GadgetProblem::NotRegistered(lines.collect()));
    }
    let elsewhere: Vec<_> = known
        .iter()
        .filter(|(package, _)| *package != STDLIB_PACKAGE)
        .map(|(package, export)| format!("{package}: {export} is an export of {STDLIB_PACKAGE}"))
        .collect();
    if elsewhere.is_empty() {
        Ok(())
    } else {
        Err(GadgetProblem::PackageMismatch(elsewhere))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(gadgets: Value) -> Result<(), GadgetProblem> {
        let contract = json!({"clientCapabilities": {"gadgets": gadgets}});
        check_gadgets(&serde_json::from_value(contract).unwrap())
    }

    #[test]
    fn only_the_exports_of_the_standard_package_are_available() {
        use GadgetProblem::{DuplicateHook, NotRegistered, PackageMismatch};
        let std = STDLIB_PACKAGE;
        assert_eq!(check_gadgets(&Contract::default()), Ok(()));
        assert_eq!(
            check(json!({std: {"useGeolocation": {}, "useCamera": {}}})),
            Ok(())
        );
        let typo = check(json!({std: {"useGeoLocation": {}}}));
        assert!(matches!(typo, Err(NotRegistered(lines)) if lines.len() == 1));
        let unknown = check(json!({"@acme/checkout": {"useDoorDashCheckout": {}}}));
        assert!(matches!(unknown, Err(NotRegistered(_))));
        let elsewhere = check(json!({"@acme/maps": {"useGeolocation": {}}}));
        assert!(matches!(elsewhere, Err(PackageMismatch(_))));
        let both = json!({"@acme/maps": {"useGeolocation": {}, "useThing": {}}});
        assert!(matches!(check(both), Err(NotRegistered(_))), "graver first");
        let twice = json!({std: {"useCamera": {}}, "@acme/cam": {"useCamera": {}}});
        assert!(matches!(check(twice), Err(DuplicateHook(_))));
    }
}

//! Reads the packages of a `Cargo.lock` for review.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Bytes of a lock file that are read: ten times the largest in practice.
const BYTES_MAX: u64 = 8 << 20;
/// Packages that are shown: as many as fit into the props of a session.
const PACKAGES_MAX: usize = 3_000;

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Package {
    /// Name and version, which identify the row.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) source: &'static str,
    /// How many packages depend on it.
    pub(crate) used_by: usize,
    /// A note if several versions of the package are locked; otherwise empty.
    pub(crate) finding: String,
    pub(crate) marked: bool,
}

#[derive(Deserialize)]
struct Lockfile {
    #[serde(default)]
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    source: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// Reads the packages of a lock file, those with several versions first; the error is a sentence
/// for the person.
pub(crate) fn read(path: &Path) -> Result<Vec<Package>, String> {
    let place = path.display();
    let about = std::fs::metadata(path).map_err(|error| {
        format!("{place} cannot be read ({error}). Start in the folder of a Rust project, or name a file with --lockfile.")
    })?;
    if about.len() > BYTES_MAX {
        return Err(format!("{place} is larger than {BYTES_MAX} bytes."));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{place} cannot be read ({error})."))?;
    let locked: Lockfile = toml::from_str(&text)
        .map_err(|error| format!("{place} is no lock file: {}", error.message()))?;
    Ok(packages(locked.package))
}

fn packages(locked: Vec<Locked>) -> Vec<Package> {
    let mut versions: HashMap<&str, usize> = HashMap::new();
    let mut users: HashMap<&str, usize> = HashMap::new();
    for package in &locked {
        *versions.entry(&package.name).or_default() += 1;
        for dependency in &package.dependencies {
            *users.entry(dependency).or_default() += 1;
        }
    }
    let mut packages: Vec<Package> = locked
        .iter()
        .map(|package| {
            let id = format!("{} {}", package.name, package.version);
            let count = versions.get(package.name.as_str()).copied().unwrap_or(1);
            // A dependency includes the version only where the name alone is ambiguous.
            let used_by = [id.as_str(), &package.name];
            Package {
                used_by: used_by.iter().filter_map(|name| users.get(name)).sum(),
                name: package.name.clone(),
                version: package.version.clone(),
                source: source(package.source.as_deref()),
                finding: if count > 1 {
                    format!("{count} versions")
                } else {
                    String::new()
                },
                marked: false,
                id,
            }
        })
        .collect();
    packages.sort_by(|left, right| {
        let key = |package: &Package| (package.finding.is_empty(), package.name.clone());
        key(left).cmp(&key(right))
    });
    packages.truncate(PACKAGES_MAX);
    packages
}

fn source(source: Option<&str>) -> &'static str {
    match source {
        None => "this project",
        Some(source) if source.starts_with("git+") => "git",
        Some(_) => "registry",
    }
}

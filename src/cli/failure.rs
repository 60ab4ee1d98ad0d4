//! How a verb fails: the lines on standard error, and the exit code of each error.

#[cfg(feature = "gate")]
use crate::adapters::gate_audit::AuditUnusable;
use crate::adapters::keys_file::KeysError;
#[cfg(feature = "model")]
use crate::adapters::model::ModelUnusable;
use crate::adapters::sqlite::OpenError;
use crate::adapters::sqlite_pages::OpenError as PagesError;
use crate::app::{KeyRefused, StartError};
use crate::config::ConfigError;
#[cfg(feature = "demo")]
use crate::demo::NoDemo;
#[cfg(feature = "gallery")]
use crate::gallery::GalleryError;

/// What was asked for was refused.
pub(super) const EXIT_REFUSED: u8 = 1;
/// The command line is wrong.
pub(super) const EXIT_USAGE: u8 = 64;
/// A file cannot be read.
pub(super) const EXIT_NO_INPUT: u8 = 66;
/// The address cannot be listened on.
pub(super) const EXIT_UNAVAILABLE: u8 = 69;
/// The configuration is wrong.
pub(super) const EXIT_CONFIG: u8 = 78;

/// The exit code, and the lines printed on standard error.
pub(super) struct Failure(pub(super) u8, pub(super) String);

/// What needs a model has none.
#[cfg(feature = "model")]
pub(super) fn no_model() -> Failure {
    let why = "no model is configured: set model.provider and model.name";
    Failure(EXIT_CONFIG, why.to_owned())
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let code = match &error {
            ConfigError::Unreadable { .. } => EXIT_NO_INPUT,
            ConfigError::Invalid(_) => EXIT_CONFIG,
        };
        Self(code, error.to_string())
    }
}

impl From<KeysError> for Failure {
    fn from(error: KeysError) -> Self {
        let code = match &error {
            KeysError::Unusable { .. } => EXIT_NO_INPUT,
            KeysError::Invalid(_) => EXIT_CONFIG,
            KeysError::Unknown { .. } => EXIT_USAGE,
        };
        Self(code, error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Config(error) => error.into(),
            StartError::Keys(error) => error.into(),
            StartError::Data(error) => error.into(),
            StartError::Pages(error) => error.into(),
            StartError::Table(_) => Self(EXIT_NO_INPUT, error.to_string()),
            #[cfg(feature = "gate")]
            StartError::Audit(error) => error.into(),
            #[cfg(feature = "model")]
            StartError::Model(error) => error.into(),
            StartError::Listen { .. } | StartError::Store(_) => {
                Self(EXIT_UNAVAILABLE, error.to_string())
            }
        }
    }
}

#[cfg(feature = "gate")]
impl From<AuditUnusable> for Failure {
    fn from(error: AuditUnusable) -> Self {
        Self(EXIT_NO_INPUT, error.to_string())
    }
}

#[cfg(feature = "model")]
impl From<ModelUnusable> for Failure {
    fn from(error: ModelUnusable) -> Self {
        let code = match &error {
            ModelUnusable::Unreadable { .. } => EXIT_NO_INPUT,
            ModelUnusable::NoKey { .. } | ModelUnusable::NoConnections { .. } => EXIT_CONFIG,
        };
        Self(code, error.to_string())
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let code = match &error {
            OpenError::Owned { .. } | OpenError::Library(_) => EXIT_UNAVAILABLE,
            OpenError::Damaged { .. }
            | OpenError::Exists(_)
            | OpenError::Newer { .. }
            | OpenError::NoFolder
            | OpenError::Nothing(_)
            | OpenError::Stranger(_)
            | OpenError::Unusable { .. } => EXIT_NO_INPUT,
        };
        Self(code, error.to_string())
    }
}

impl From<PagesError> for Failure {
    fn from(error: PagesError) -> Self {
        Self(EXIT_NO_INPUT, error.to_string())
    }
}

impl From<KeyRefused> for Failure {
    fn from(error: KeyRefused) -> Self {
        Self(EXIT_CONFIG, error.to_string())
    }
}

#[cfg(feature = "gallery")]
impl From<GalleryError> for Failure {
    fn from(error: GalleryError) -> Self {
        let code = match error {
            GalleryError::Start(error) => return error.into(),
            GalleryError::Unreadable { .. } | GalleryError::Refused { .. } => EXIT_NO_INPUT,
            GalleryError::Browser(_)
            | GalleryError::NoBrowser
            | GalleryError::Server(_)
            | GalleryError::Unwritable { .. } => EXIT_UNAVAILABLE,
        };
        Self(code, error.to_string())
    }
}

#[cfg(feature = "demo")]
impl From<NoDemo> for Failure {
    fn from(error: NoDemo) -> Self {
        Self(EXIT_CONFIG, error.to_string())
    }
}

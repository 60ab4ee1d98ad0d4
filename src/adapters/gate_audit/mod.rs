//! The audit of approvals, as JSON lines in files of the data folder that follow one another.

mod error;
mod files;
mod keeper;

pub(crate) use error::AuditUnusable;
pub(crate) use files::{audit_files, audit_in, is_audit_file};
pub(crate) use keeper::AuditFile;

//! The closed list of fault codes and everything known about each: data only.

#[cfg(test)]
mod cases;
mod close;
mod code;
mod row;
mod status;

pub use close::Close;
pub use code::{Code, Looks, Row};
pub use row::{Endpoint, Era, Retry, Surface};
pub use status::{STATUSES, status_code_name};

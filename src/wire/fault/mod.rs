//! The closed list of fault codes and everything known about each: data only.

mod close;
mod code;
mod row;
mod status;

pub use close::Close;
pub use code::Code;
pub use row::{Endpoint, Era, Retry, Row, Surface};
pub use status::{STATUSES, status_code_name};

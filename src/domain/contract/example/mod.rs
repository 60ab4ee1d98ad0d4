//! The call an agent makes after a handshake, with props that fit the contract.

mod call;
#[cfg(test)]
mod cases;
mod placeholder;

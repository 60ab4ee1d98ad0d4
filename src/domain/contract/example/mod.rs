//! The call an agent makes after a handshake: props that fit, or word that there is no example.

mod call;
#[cfg(test)]
mod cases;
mod placeholder;

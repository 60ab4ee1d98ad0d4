//! The code about itself.

//! Frames of the live channel.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proscenium::probe::frame(bytes));

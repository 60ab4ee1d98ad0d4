//! JSON-RPC messages and batches.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proscenium::probe::envelope(bytes));

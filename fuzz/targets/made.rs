//! What is made from a schema: examples, forms, words; all within bounds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proscenium::probe::made(bytes));

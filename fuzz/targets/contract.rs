//! Drafts of contracts, alone or with props for them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proscenium::probe::contract(bytes));

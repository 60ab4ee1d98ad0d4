//! The tests of one port, each with a store of its own.

/// Makes a test of each check: it gets a store that the factory has just made.
macro_rules! store_tests {
    ($fresh:path, $port:ident: $($check:ident)*) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $check() {
            let (store, _held) = $fresh().await;
            $crate::adapters::battery::$port::$check(std::sync::Arc::new(store)).await;
        })*
    };
}

pub(in crate::adapters) use store_tests;

//! The program: the command line over the library.

use std::process::ExitCode;

/// Gives memory back to the system after a peak.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    proscenium::cli::run()
}

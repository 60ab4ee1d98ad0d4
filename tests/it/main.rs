//! One binary for every test that needs a server.

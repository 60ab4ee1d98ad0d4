//! `proscenium config`: every setting, and what is wrong with them.

use std::path::Path;

use super::arguments::ConfigVerb;
use super::failure::{EXIT_CONFIG, Failure};
use super::logging::log_filter;
use super::process::{environment, say};
use crate::adapters::keys_file;
#[cfg(feature = "keyring")]
use crate::adapters::model::Key;
#[cfg(feature = "model")]
use crate::app::model_generator;
use crate::config::Config;
#[cfg(feature = "gate")]
use crate::domain::gate::GateConfig;

/// Looks at the configuration in a file, or at the defaults, and at the environment over it.
pub(super) fn run(verb: &ConfigVerb, file: Option<&Path>) -> Result<(), Failure> {
    match verb {
        ConfigVerb::Print => say(Config::load(file, environment())?.print().as_bytes()),
        ConfigVerb::Check => check(file),
        #[cfg(feature = "keyring")]
        ConfigVerb::KeepKey => keep_key(file),
    }
}

/// Prints everything that keeps a server from starting, each problem on a line.
fn check(file: Option<&Path>) -> Result<(), Failure> {
    let (config, mut problems) = Config::examine(file, environment())?;
    let keys_file = &config.server.keys_file;
    if !keys_file.as_os_str().is_empty()
        && let Err(error) = keys_file::load_some(keys_file)
    {
        problems.push(config.blame(format!("server.keys_file: {error}")));
    }
    #[cfg(feature = "model")]
    if let Err(error) = model_generator(&config.model, &config.limits.generation) {
        let is_about_file = config.model.keyring.is_empty() && error.is_about_key();
        let problem = match is_about_file {
            true => format!("model.key_file: {error}"),
            false => error.to_string(),
        };
        problems.push(config.blame(problem));
    }
    #[cfg(feature = "gate")]
    if !config.server.gate_file.as_os_str().is_empty()
        && let Err(error) = GateConfig::load(&config.server.gate_file, environment())
    {
        problems.push(config.blame(format!("server.gate_file: {error}")));
    }
    problems.extend(log_filter(&config).err());
    if problems.is_empty() {
        say(b"the configuration is sound\n")
    } else {
        Err(Failure(EXIT_CONFIG, problems.join("\n")))
    }
}

/// Puts the key of the model's provider, read from standard input, where the configuration has it.
#[cfg(feature = "keyring")]
fn keep_key(file: Option<&Path>) -> Result<(), Failure> {
    let config = Config::load(file, environment())?;
    let entry = config.model.keyring_entry().ok_or_else(|| {
        let why = "name the entry first: model.keyring, such as proscenium/openai";
        Failure(EXIT_CONFIG, why.to_owned())
    })?;
    Key::read("standard input", std::io::stdin())?.keep_in_keyring(&entry)?;
    say(format!("the key is in the keyring, as {entry}\n").as_bytes())
}

//! `proscenium gallery`: contracts with data, drawn as pictures or shown on a stage.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
#[cfg(feature = "model")]
use super::failure::no_model;
#[cfg(feature = "model")]
use super::process::environment;
use super::process::{in_runtime, interrupted, say};
use crate::config::Config;
#[cfg(feature = "model")]
use crate::gallery::Drawn;
use crate::gallery::{Entry, Studio, read};

/// The flags of `gallery`.
#[derive(Args)]
pub(super) struct GalleryArgs {
    /// Folder the pictures are written to; needs a Chromium.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Show the entries on a stage until Ctrl-C (the default without --out).
    #[arg(long)]
    pub(super) serve: bool,
    /// Folder of the entries.
    #[arg(long, default_value = "examples/gallery", value_name = "DIR")]
    pub(super) from: PathBuf,
    /// Only entries whose name contains this.
    #[arg(long, value_name = "TEXT")]
    pub(super) only: Option<String>,
    /// Show each entry as the configured model draws it, too, beside the composed one.
    #[cfg(feature = "model")]
    #[arg(long)]
    pub(super) generator: bool,
    /// Configuration file that names the model.
    #[cfg(feature = "model")]
    #[arg(long, value_name = "FILE", requires = "generator")]
    pub(super) config: Option<PathBuf>,
    /// Address and port of the stage.
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDR")]
    pub(super) listen: String,
    /// The browser to draw with.
    #[arg(long, value_name = "FILE")]
    pub(super) browser: Option<PathBuf>,
}

/// Draws the entries of a folder, shows them, or both.
pub(super) fn gallery(args: &GalleryArgs) -> Result<(), Failure> {
    let (config, entries) = prepared(args)?;
    in_runtime(async {
        let studio = Studio::open(&config, &args.listen, &entries).await?;
        let drawn = match &args.out {
            Some(folder) => studio.draw(folder, args.browser.as_deref()).await,
            None => Ok(()),
        };
        if drawn.is_ok() {
            if let Some(folder) = &args.out {
                let (count, folder) = (entries.len(), folder.display());
                say(format!("{count} entries drawn: {folder}/index.html\n").as_bytes())?;
            }
            if args.serve || args.out.is_none() {
                let (count, stage) = (entries.len(), studio.stage_url());
                say(format!("{count} entries on stage: {stage}\n").as_bytes())?;
                interrupted().await;
            }
        }
        studio.close().await;
        Ok(drawn?)
    })
}

/// The entries, and what the server that shows them is configured with.
#[cfg(not(feature = "model"))]
fn prepared(args: &GalleryArgs) -> Result<(Config, Vec<Entry>), Failure> {
    Ok((Config::default(), read(&args.from, args.only.as_deref())?))
}

/// The entries, each once more after itself where a model draws them, and what the server that shows
/// them is configured with.
#[cfg(feature = "model")]
fn prepared(args: &GalleryArgs) -> Result<(Config, Vec<Entry>), Failure> {
    let entries = read(&args.from, args.only.as_deref())?;
    if !args.generator {
        return Ok((Config::default(), entries));
    }
    let config = Config::load(args.config.as_deref(), environment())?;
    config.validate()?;
    if !config.model.is_on() {
        return Err(no_model());
    }
    let both = entries.into_iter().flat_map(|entry| {
        let generated = Entry {
            name: format!("{}-generated", entry.name),
            drawn: Drawn::Generated,
            ..entry.clone()
        };
        [entry, generated]
    });
    let both = both.collect();
    Ok((config, both))
}

//! `proscenium gallery`: contracts with data, drawn as pictures or shown on a stage.

use super::arguments::GalleryArgs;
use super::failure::Failure;
use super::process::{in_runtime, interrupted, say};
use crate::gallery::{Studio, read};

/// Draws the entries of a folder, shows them, or both.
pub(super) fn gallery(args: &GalleryArgs) -> Result<(), Failure> {
    let entries = read(&args.from, args.only.as_deref())?;
    in_runtime(async {
        let studio = Studio::open(&args.listen, &entries).await?;
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

//! The studio: a server that shows a gallery, and a browser that takes pictures of it.

use std::path::Path;

use super::agent::{Agent, Shown};
use super::browser::{Browser, Look};
use super::entry::Entry;
use super::error::GalleryError;
use super::sheet;
use crate::app::{App, Running};
use crate::config::Config;

/// A desktop in light mode.
const WIDE: Look = Look {
    width: 1_120,
    height: 400,
    is_dark: false,
    format: "png",
};
/// A phone in dark mode.
const PHONE: Look = Look {
    width: 375,
    height: 500,
    is_dark: true,
    format: "png",
};
/// The page that lists all pictures.
const SHEET: Look = Look {
    width: 1_940,
    height: 400,
    is_dark: false,
    format: "webp",
};
/// Sessions of a gallery live as long as people look at them: a day.
const SESSION_TTL_S: u64 = 86_400;

/// A server that shows a gallery.
pub struct Studio {
    running: Running,
    shown: Vec<Shown>,
}

impl Studio {
    /// Starts a server on `listen` and shows every entry on it. What `base` says of a model and of
    /// what it may use holds.
    ///
    /// # Errors
    /// The server does not start, or an entry is not accepted.
    pub async fn open(
        base: &Config,
        listen: &str,
        entries: &[Entry],
    ) -> Result<Self, GalleryError> {
        let mut config = Config {
            model: base.model.clone(),
            ..Config::default()
        };
        config.limits.generation = base.limits.generation.clone();
        config.server.listen = listen.to_owned();
        config.server.unlimited = true;
        // What it shows is read anew each time.
        config.store.ephemeral = true;
        config.limits.sessions.idle_ttl_s = SESSION_TTL_S;
        let running = App::new(config).start().await?;
        let agent = Agent {
            server: running.address(),
        };
        let mut shown = Vec::new();
        for entry in entries {
            shown.push(agent.show(entry).await?);
        }
        Ok(Self { running, shown })
    }

    /// What it shows, in the order of the entries.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// The address of the stage, where everything can be looked at and clicked.
    pub fn stage_url(&self) -> String {
        self.running.stage_url()
    }

    /// Takes a picture of what it shows first, on a desktop in light mode.
    ///
    /// # Errors
    /// There is no browser, it fails, or the file cannot be written.
    pub async fn draw_first(
        &self,
        file: &Path,
        browser: Option<&Path>,
    ) -> Result<(), GalleryError> {
        let nothing = || GalleryError::Server("it shows nothing".to_owned());
        let first = self.shown.first().ok_or_else(nothing)?;
        let refused = |what: &String| GalleryError::Refused {
            name: first.name.clone(),
            what: what.clone(),
        };
        let viewer_url = first.viewer_url.as_ref().map_err(refused)?;
        let mut browser = Browser::start(browser).await?;
        let picture = browser.picture(&format!("{viewer_url}/frame"), WIDE).await;
        browser.stop().await;
        std::fs::write(file, picture?).map_err(|error| unwritable(file, &error))
    }

    /// Takes two pictures of every entry, on a desktop in light mode and on a phone in dark mode,
    /// then writes a page that lists them (`index.html`) and a picture of that page
    /// (`contact-sheet.webp`).
    ///
    /// # Errors
    /// There is no browser, it fails, or a file cannot be written.
    pub async fn draw(&self, folder: &Path, browser: Option<&Path>) -> Result<(), GalleryError> {
        let mut browser = Browser::start(browser).await?;
        let drawn = self.draw_all(folder, &mut browser).await;
        browser.stop().await;
        drawn
    }

    async fn draw_all(&self, folder: &Path, browser: &mut Browser) -> Result<(), GalleryError> {
        let write = |name: &str, data: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, data).map_err(|error| unwritable(&path, &error))
        };
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        for entry in &self.shown {
            let Ok(viewer_url) = &entry.viewer_url else {
                continue;
            };
            let url = format!("{viewer_url}/frame");
            for (suffix, look) in [("", WIDE), ("-phone", PHONE)] {
                let picture = browser.picture(&url, look).await?;
                write(&format!("{}{suffix}.png", entry.name), &picture)?;
            }
        }
        write("index.html", sheet::page(&self.shown).as_bytes())?;
        let page = std::fs::canonicalize(folder.join("index.html"))
            .map_err(|error| unwritable(folder, &error))?;
        let url = format!("file://{}", page.display());
        write("contact-sheet.webp", &browser.picture(&url, SHEET).await?)
    }

    /// Stops the server in order.
    pub async fn close(self) {
        self.running.stop().await;
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> GalleryError {
    GalleryError::Unwritable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

//! `proscenium generate`: has the configured model draw one contract, and prints what comes of it.

#[cfg(feature = "gallery")]
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
#[cfg(feature = "gallery")]
use serde_json::{Map, Value};

use super::contract_file::ContractFile;
use super::failure::{EXIT_REFUSED, EXIT_USAGE, Failure, no_model};
use super::process::{environment, in_runtime, say};
use crate::app::model_generator;
use crate::config::Config;
use crate::domain::compose::compose;
use crate::domain::generation::{Drawn, Own, Page, Reason, Undrawn, draw};
#[cfg(feature = "gallery")]
use crate::domain::view::View;
#[cfg(feature = "gallery")]
use crate::gallery::{self, Entry, Studio};

/// What the model is to draw.
#[derive(Args)]
pub(super) struct GenerateArgs {
    /// A contract, or {"intent", "contract", "props"}, as JSON.
    pub(super) file: PathBuf,
    /// The model, one of `model.name` and `model.others`.
    #[arg(long)]
    pub(super) model: Option<String>,
    /// File the picture of the page is written to; needs a Chromium, and props in FILE.
    #[cfg(feature = "gallery")]
    #[arg(long, value_name = "PNG")]
    pub(super) picture: Option<PathBuf>,
    /// Configuration file.
    #[arg(long)]
    pub(super) config: Option<PathBuf>,
}

/// Draws a contract, and prints the view with what it took: the model's, or the composed one and why.
pub(super) fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let config = Config::load(args.config.as_deref(), environment())?;
    config.validate()?;
    let limits = &config.limits.generation;
    let generator = model_generator(&config.model, limits)?.ok_or_else(no_model)?;
    let named = args.model.as_deref().unwrap_or(&config.model.name);
    let model = config.model.named(named).ok_or_else(|| {
        let known = config.model.names().join(", ");
        Failure(EXIT_USAGE, format!("--model: there is {known}"))
    })?;
    let file = ContractFile::read(&args.file)?;
    let page = Page {
        contract: &file.contract,
        intent: &file.intent,
        variance: None,
        remarks: &[],
        values: file.props.as_ref().filter(|_| config.model.sends_values),
    };
    in_runtime(async {
        let (free_views, deadline) = (config.model.free_views, tokio::time::sleep(limits.view()));
        let drawing = draw(&*generator, model, &page, limits, free_views, deadline);
        let (view, own, reason, rounds, usage) = match drawing.await {
            Ok(Drawn {
                view,
                own,
                rounds,
                usage,
                ..
            }) => (view, own, None, rounds, usage),
            Err(Undrawn {
                reason,
                rounds,
                usage,
            }) => {
                let view = compose(&file.contract, &file.intent);
                (view, Own::None, Some(reason), rounds, usage)
            }
        };
        let findings = match (&reason, &own) {
            (Some(Reason::Unfit(findings)), _) | (_, Own::LeftOut(Reason::Unfit(findings))) => {
                json!(findings)
            }
            _ => json!([]),
        };
        let why = reason.as_ref().map(Reason::to_string);
        let report = json!({
            "outcome": if reason.is_some() { "composed" } else { "drawn" },
            "reason": why.or_else(|| own.why_left_out()),
            "findings": findings,
            "model": model,
            "rounds": rounds,
            "promptTokens": usage.prompt_tokens,
            "answerTokens": usage.answer_tokens,
            "microdollars": config.model.prices().of(usage),
            "view": view.value(),
        });
        let text = serde_json::to_string_pretty(&report).unwrap_or_default();
        say(format!("{text}\n").as_bytes())?;
        #[cfg(feature = "gallery")]
        if let Some(picture) = &args.picture {
            draw_picture(picture, &file, &view).await?;
        }
        match reason {
            None => Ok(()),
            Some(reason) => Err(Failure(EXIT_REFUSED, reason.to_string())),
        }
    })
}

/// Shows the view with the props of its file, and writes a picture of it.
#[cfg(feature = "gallery")]
async fn draw_picture(picture: &Path, file: &ContractFile, view: &View) -> Result<(), Failure> {
    let entry = Entry {
        name: "the file".to_owned(),
        intent: file.intent.clone(),
        contract: Value::clone(file.contract.source()),
        props: file.props.clone().unwrap_or_else(|| json!({})),
        streams: Map::new(),
        drawn: gallery::Drawn::As(view.value()["view"]["components"].clone()),
    };
    let studio = Studio::open(&Config::default(), "127.0.0.1:0", &[entry]).await?;
    let drawn = studio.draw_first(picture, None).await;
    studio.close().await;
    Ok(drawn?)
}

//! `proscenium generate`: has the configured model draw one contract, and prints what comes of it.

use serde_json::json;

use super::arguments::GenerateArgs;
use super::contract_file::ContractFile;
use super::failure::{EXIT_CONFIG, EXIT_REFUSED, EXIT_USAGE, Failure};
use super::process::{environment, in_runtime, say};
use crate::app::model_generator;
use crate::config::Config;
use crate::domain::compose::compose;
use crate::domain::generation::{Drawn, Page, Reason, Trouble, Undrawn, Usage, draw};

/// Draws a contract, and prints the view with what it took: the model's, or the composed one and why.
pub(super) fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let config = Config::load(args.config.as_deref(), environment())?;
    config.validate()?;
    let limits = &config.limits.generation;
    let generator = model_generator(&config.model, limits)?.ok_or_else(|| {
        let why = "no model is configured: set model.provider and model.name";
        Failure(EXIT_CONFIG, why.to_owned())
    })?;
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
        values: file.props.as_ref().filter(|_| config.model.sends_values),
    };
    in_runtime(async {
        let drawing = draw(&*generator, model, &page, limits);
        let drawn = tokio::time::timeout(limits.view(), drawing).await;
        let drawn = drawn.unwrap_or_else(|_| {
            Err(Undrawn {
                reason: Reason::Trouble(Trouble::TimedOut),
                rounds: 0,
                usage: Usage::default(),
            })
        });
        let (view, reason, rounds, usage) = match drawn {
            Ok(Drawn {
                view,
                rounds,
                usage,
                ..
            }) => (view, None, rounds, usage),
            Err(Undrawn {
                reason,
                rounds,
                usage,
            }) => {
                let view = compose(&file.contract, &file.intent);
                (view, Some(reason), rounds, usage)
            }
        };
        let findings = match &reason {
            Some(Reason::Unfit(findings)) => json!(findings),
            _ => json!([]),
        };
        let told = json!({
            "outcome": if reason.is_some() { "composed" } else { "drawn" },
            "reason": reason.as_ref().map(Reason::to_string),
            "findings": findings,
            "model": model,
            "rounds": rounds,
            "promptTokens": usage.prompt_tokens,
            "answerTokens": usage.answer_tokens,
            "microdollars": config.model.prices().of(usage),
            "view": view.value(),
        });
        let text = serde_json::to_string_pretty(&told).unwrap_or_default();
        say(format!("{text}\n").as_bytes())?;
        match reason {
            None => Ok(()),
            Some(reason) => Err(Failure(EXIT_REFUSED, reason.to_string())),
        }
    })
}

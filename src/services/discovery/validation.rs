//! A view of an agent's own is tried: what is wrong with it, before anything is negotiated.

use serde_json::{Value, json};

use super::service::Discovery;
use crate::domain::view::{check, gaps};
use crate::wire::contract::{Finding, Severity, Violation};
use crate::wire::discovery::{
    BlueprintProblem, Tier, ValidateBlueprintParams, ValidateBlueprintResult,
};

impl Discovery {
    /// `ggui_protocol_validate_blueprint`: in three tiers, and nothing is kept.
    pub(super) fn validate(&self, params: ValidateBlueprintParams) -> ValidateBlueprintResult {
        let view = match serde_json::from_str::<Value>(&params.source) {
            Ok(view) => view,
            Err(error) => {
                let message = format!("source: it is no JSON: {error}");
                return failed(
                    Tier::Compile,
                    vec![problem(Tier::Compile, "VIEW_JSON", message)],
                );
            }
        };
        let draft = params.contract.map_or_else(|| json!({}), Value::Object);
        let compiled = match self.contracts.compile(&draft) {
            Ok(compiled) => compiled,
            Err(findings) => {
                let is_error = |finding: &Finding| finding.severity == Severity::Error;
                let errors = findings.into_iter().filter(is_error);
                let errors = errors
                    .map(|finding| found(Tier::Compile, finding))
                    .collect();
                return failed(Tier::Compile, errors);
            }
        };
        let view = match check(&view, &compiled.contract) {
            Ok(view) => view,
            Err(findings) => {
                let errors = findings.into_iter();
                let errors = errors.map(|finding| found(Tier::SelfCheck, finding));
                return failed(Tier::SelfCheck, errors.collect());
            }
        };
        if let Some(props) = params.fixture_props
            && let Err(violations) = compiled.contract.check_props(&Value::Object(props))
        {
            return failed(
                Tier::Runtime,
                violations.into_iter().map(violated).collect(),
            );
        }
        let warnings = compiled.warnings.iter().cloned();
        let warnings = warnings.map(|finding| found(Tier::Compile, finding));
        let gaps = gaps(&view, &compiled.contract).into_iter();
        let gaps = gaps.map(|finding| found(Tier::SelfCheck, finding));
        ValidateBlueprintResult {
            valid: true,
            failed_at: None,
            errors: Vec::new(),
            warnings: warnings.chain(gaps).collect(),
        }
    }
}

fn failed(tier: Tier, errors: Vec<BlueprintProblem>) -> ValidateBlueprintResult {
    ValidateBlueprintResult {
        valid: false,
        failed_at: Some(tier),
        errors,
        warnings: Vec::new(),
    }
}

fn problem(tier: Tier, code: &str, message: String) -> BlueprintProblem {
    BlueprintProblem {
        tier,
        code: code.to_owned(),
        message,
        fix: None,
    }
}

fn found(tier: Tier, finding: Finding) -> BlueprintProblem {
    let message = format!("{}: {}", finding.path, finding.message);
    BlueprintProblem {
        fix: finding.fix_hint,
        ..problem(tier, &finding.code, message)
    }
}

fn violated(violation: Violation) -> BlueprintProblem {
    let message = format!("fixtureProps.{}: {}", violation.field, violation.message);
    problem(Tier::Runtime, "PROPS_VIOLATION", message)
}

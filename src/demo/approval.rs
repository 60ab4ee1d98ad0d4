//! The approval demo: a request that a person accepts, or rejects with a reason.

use serde_json::{Value, json};

use super::agent::{Agent, Failure, Shown};

/// The requests, shown one after the other.
const REQUESTS: [Request; 3] = [
    Request {
        action: "Deploy release 2.4 of the shop to production",
        asked_by: "Deploy agent",
        risk: "medium",
        consequences: &[
            "Customers see the new checkout at once",
            "Going back takes about five minutes",
            "No data is changed",
        ],
    },
    Request {
        action: "Delete 1,204 accounts that were never confirmed",
        asked_by: "Housekeeping agent",
        risk: "high",
        consequences: &[
            "The accounts cannot be brought back",
            "None of them was used in the last two years",
        ],
    },
    Request {
        action: "Send the invoice of October to 318 customers",
        asked_by: "Billing agent",
        risk: "low",
        consequences: &[
            "One message per customer",
            "Corrections go out as a new invoice",
        ],
    },
];

struct Request {
    action: &'static str,
    asked_by: &'static str,
    risk: &'static str,
    consequences: &'static [&'static str],
}

impl Request {
    fn props(&self, notice: Option<&str>) -> Value {
        json!({
            "action": self.action,
            "askedBy": self.asked_by,
            "risk": self.risk,
            "consequences": self.consequences,
            "notice": notice,
        })
    }
}

/// Negotiates the contract and renders the first request.
pub(super) async fn show(agent: &Agent) -> Result<Shown, Failure> {
    let props = REQUESTS[0].props(None);
    agent.show("Approve an action", contract(), props).await
}

/// Answers each decision with the next request, until the session ends.
pub(super) async fn run(agent: &Agent, session: &str) -> Result<(), Failure> {
    let mut requests = REQUESTS.iter().cycle();
    let mut current = requests.next();
    loop {
        for event in agent.consume(session).await? {
            let action = current.map_or("", |request| request.action);
            let reason = event.data["reason"].as_str().unwrap_or_default().trim();
            let notice = match event.data["decision"].as_str() {
                Some("approve") => {
                    format!("Approved: {action}. This is a demo, so nothing was done.")
                }
                _ if reason.is_empty() => {
                    let notice = "Please say why, so that the agent can do better.";
                    agent.amend(session, json!({ "notice": notice })).await?;
                    continue;
                }
                _ => format!("Rejected: {action}. The agent was told why: {reason}"),
            };
            current = requests.next();
            if let Some(request) = current {
                agent.amend(session, request.props(Some(&notice))).await?;
            }
        }
    }
}

/// The contract: the request as props, accept and reject with a reason as actions.
fn contract() -> Value {
    let text = json!({ "type": "string" });
    let required = |schema: Value| json!({ "schema": schema, "required": true });
    json!({
        "propsSpec": {
            "description": "An agent asks before it acts",
            "properties": {
                "notice": { "schema": { "type": ["string", "null"] } },
                "action": required(text.clone()),
                "askedBy": required(text.clone()),
                "risk": required(json!({
                    "type": "string", "enum": ["low", "medium", "high"],
                })),
                "consequences": required(json!({ "type": "array", "items": text })),
            },
        },
        "actionSpec": {
            "decide": {
                "label": "Send the decision",
                "schema": {
                    "type": "object",
                    "properties": {
                        "decision": { "type": "string", "enum": ["approve", "reject"] },
                        "reason": { "type": "string", "maxLength": 500 },
                    },
                    "required": ["decision"],
                },
            },
        },
    })
}

//! What an app keeps, for tests of whole files: a session's documents, and what is beside its sessions.

use std::sync::Arc;

use serde_json::json;
use serde_json::value::to_raw_value;

use super::activity::SqliteActivity;
use super::answers::SqliteAnswers;
use super::blueprints::SqliteBlueprints;
use super::database::Database;
use crate::domain::activity::{Activity, ActivityStore as _};
use crate::domain::blueprint::{Blueprint, BlueprintStore as _, Registered};
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::limits::IdempotencyLimits;
use crate::domain::operation::{Answer, IdempotencyKey};
use crate::domain::principal::Door;
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers as _};
use crate::wire::ids::{Seq, SessionKey};
use crate::wire::remark::{Rating, Remark};
use crate::wire::tools::Variance;

/// The session.
pub(super) fn key() -> SessionKey {
    SessionKey {
        app: "shop".into(),
        session: "9d3b1c52-0d5e-4d6a-8f50-1f2a3b4c5d6e".into(),
    }
}

/// What the session of the records names.
pub(super) fn documents() -> Vec<Document> {
    let texts = ["{\"propsSpec\":{}}", "{\"version\":\"v0.9\"}"];
    let document = |text: &str| Document {
        hash: DocumentHash::of(text),
        value: Arc::new(serde_json::from_str(text).unwrap()),
    };
    texts.map(document).into()
}

/// What the app has beside its sessions, from the third schema on.
pub(super) struct Beside {
    activity: SqliteActivity,
    answers: SqliteAnswers,
    blueprints: SqliteBlueprints,
}

fn row() -> Activity {
    Activity {
        session: key().session,
        owner: "agent".into(),
        seq: Seq(5),
        at: Time(5),
        kind: "clicked".into(),
        text: Some("choose".to_owned()),
        principal: "person".into(),
        door: Door::Socket,
    }
}

fn name() -> AttemptName {
    AttemptName {
        app: key().app,
        principal: "agent".into(),
        operation: "ggui_render".into(),
        key: IdempotencyKey::new("k").unwrap(),
    }
}

fn answer() -> ReplayedAnswer {
    ReplayedAnswer {
        digest: [7; 32],
        answer: Answer {
            result: to_raw_value(&json!({"text": "an answer"})).unwrap().into(),
            mounts: None,
            hint: None,
        },
        at: Time(5),
    }
}

fn blueprint() -> Registered {
    let blueprint = Blueprint {
        id: "bp_1".into(),
        contract: documents()[0].hash,
        key: "k".to_owned(),
        variance: Variance::default(),
        variant_key: "44136fa355b3678a".to_owned(),
        intent: "Choose a table".into(),
        view: Some(documents()[1].hash),
        bytes: 100,
        generated_by: Some("quick".into()),
        choice: Some(json!({"primary": "choose"})),
        cost: None,
        remarks: vec![Remark {
            rating: Some(Rating::Bad),
            text: Some("Make it a board".to_owned()),
        }],
        created_at: Time(1),
    };
    Registered {
        blueprint: Arc::new(blueprint),
        hits: 0,
        used_at: Time(1),
    }
}

impl Beside {
    pub(super) fn of(database: &Arc<Database>) -> Self {
        Self {
            activity: SqliteActivity::new(Arc::clone(database)),
            answers: SqliteAnswers {
                database: Arc::clone(database),
                limits: IdempotencyLimits::default(),
            },
            blueprints: SqliteBlueprints::new(Arc::clone(database)),
        }
    }

    pub(super) async fn fill(&self) {
        let app = key().app;
        self.activity.add(&app, &[row()], 10).await.unwrap();
        self.answers.keep(name(), answer()).await.unwrap();
        let put = self.blueprints.put(&app, blueprint(), documents(), None);
        put.await.unwrap();
    }

    pub(super) async fn assert_filled(&self) {
        let app = key().app;
        let (rows, _) = self.activity.after(&app, 0).await.unwrap();
        assert_eq!(rows, [row()]);
        let found = self.answers.find(&name(), Time(6)).await.unwrap().unwrap();
        assert_eq!((found.digest, found.at), (answer().digest, answer().at));
        let (found, kept) = (found.answer.result, answer().answer.result);
        assert_eq!(found.get(), kept.get());
        assert_eq!(
            self.blueprints.get(&app, "bp_1").await.unwrap(),
            blueprint()
        );
        let named = self.blueprints.documents(&app, "bp_1").await.unwrap();
        assert_eq!(named.len(), documents().len());
    }
}

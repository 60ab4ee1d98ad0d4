//! The audit of the gate, whose rows the journal is told.

use std::sync::Arc;

use async_trait::async_trait;

use crate::adapters::gate_audit::AuditFile;
use crate::domain::brain::{ApprovalQuestion, ApprovalStep, Journal};
use crate::domain::clock::Time;
use crate::domain::gate::{Audit, AuditError, AuditEvent};
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// An audit and a journal.
pub(super) struct JournalledAudit {
    pub(super) audit: AuditFile,
    pub(super) journal: Arc<dyn Journal>,
}

#[async_trait]
impl Audit for JournalledAudit {
    async fn append(
        &self,
        at: Time,
        key: &SessionKey,
        event: AuditEvent,
    ) -> Result<(), AuditError> {
        let step = step(at, key, &event);
        self.audit.append(at, key, event).await?;
        if let Some(step) = step {
            self.journal.decided(step);
        }
        Ok(())
    }

    async fn note(&self, at: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError> {
        self.audit.note(at, key, event).await
    }

    fn open_at_start(&self) -> Vec<(SessionKey, AuditEvent)> {
        self.audit.open_at_start()
    }
}

/// What a row of the audit says of a decision, without the hashes in it.
fn step(at: Time, key: &SessionKey, event: &AuditEvent) -> Option<ApprovalStep> {
    let question = |tool: &str, source: &str, caller, during| ApprovalQuestion {
        tool: tool.to_owned(),
        source: source.to_owned(),
        caller,
        during,
    };
    let (state, question, by, reason) = match event {
        AuditEvent::Proposed {
            caller,
            caller_app,
            source,
            tool,
            during,
            ..
        } => {
            let during = during.as_deref().map(|session| SessionKey {
                app: AppId::from(caller_app.as_str()),
                session: SessionId::from(session),
            });
            let asked = question(tool, source, Some(caller.clone()), during);
            ("asked".to_owned(), Some(asked), None, None)
        }
        AuditEvent::Changed { source, tool, .. } => {
            let tool = tool.as_deref().unwrap_or("all tools");
            let asked = question(tool, source, None, None);
            ("asked".to_owned(), Some(asked), None, None)
        }
        AuditEvent::Decided { state, by, reason } => {
            (state.word().to_owned(), None, by.clone(), reason.clone())
        }
        AuditEvent::Granted {
            source, tool, by, ..
        } => {
            let asked = question(tool, source, None, None);
            ("granted".to_owned(), Some(asked), Some(by.clone()), None)
        }
        AuditEvent::Executed { .. } => ("called".to_owned(), None, None, None),
        AuditEvent::Returned { state } => (state.word().to_owned(), None, None, None),
        // Nobody has decided anything.
        AuditEvent::Denied { .. } | AuditEvent::Forwarded { .. } => return None,
    };
    Some(ApprovalStep {
        card: key.clone(),
        at,
        question,
        state,
        by,
        reason,
    })
}

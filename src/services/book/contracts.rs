//! Compiled contracts and their views, kept as long as a handshake or a session holds them.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::compose::compose;
use crate::domain::contract::{Checked, CompiledContract, ContractLimits, oversized, salvage};
use crate::domain::document::DocumentHash;
use crate::domain::view::{View, check};
use crate::wire::contract::Finding;

/// Entries between two clean-ups: often enough that dead entries never outnumber the living.
const CLEAN_UP_EVERY: usize = 1_024;

/// One compilation per contract, however many renders share it.
#[derive(Default)]
pub(crate) struct Contracts {
    limits: ContractLimits,
    kept: Mutex<HashMap<DocumentHash, Entry>>,
    composed: Mutex<HashMap<ViewKey, Weak<View>>>,
    views: Mutex<HashMap<DocumentHash, Weak<View>>>,
}

/// Address of a contract, and the intent.
type ViewKey = (usize, Arc<str>);

/// A compiled contract, shared by all who hold it.
pub(crate) struct CachedContract {
    /// What values are judged by.
    pub(crate) contract: Arc<CompiledContract>,
    /// What its author may want to mend.
    pub(crate) warnings: Arc<[Finding]>,
}

struct Entry {
    contract: Weak<CompiledContract>,
    warnings: Arc<[Finding]>,
}

impl Contracts {
    /// The refusal of a draft that is too large to be read.
    pub(crate) fn oversized(&self, draft: &Value) -> Option<Finding> {
        oversized(draft, &self.limits)
    }

    /// The compiled contract and the warnings about it, or all that is wrong with it.
    pub(crate) fn compile(&self, draft: &Value) -> Result<CachedContract, Vec<Finding>> {
        if let Some(refusal) = self.oversized(draft) {
            return Err(vec![refusal]);
        }
        // Keyed by the exact text: the contract hash ignores descriptions, which are shown.
        let hash = DocumentHash::of(&draft.to_string());
        if let Some(entry) = self.kept.lock().get(&hash)
            && let Some(contract) = entry.contract.upgrade()
        {
            return Ok(CachedContract {
                contract,
                warnings: Arc::clone(&entry.warnings),
            });
        }
        let Checked { contract, warnings } = CompiledContract::compile(draft, &self.limits)?;
        let contract = Arc::new(contract);
        let warnings: Arc<[Finding]> = warnings.into();
        let entry = Entry {
            contract: Arc::downgrade(&contract),
            warnings: Arc::clone(&warnings),
        };
        let mut kept = self.kept.lock();
        if is_clean_up_due(kept.len()) {
            kept.retain(|_, entry| entry.contract.strong_count() > 0);
        }
        kept.insert(hash, entry);
        Ok(CachedContract { contract, warnings })
    }

    /// The view of a contract for an intent: composed once for all sessions that show it.
    pub(crate) fn view(&self, contract: &Arc<CompiledContract>, intent: &Arc<str>) -> Arc<View> {
        // A contract's address names it as long as a view lives: who holds the one holds the other.
        let key = (Arc::as_ptr(contract).addr(), Arc::clone(intent));
        if let Some(view) = self.composed.lock().get(&key).and_then(Weak::upgrade) {
            return view;
        }
        let view = Arc::new(compose(contract, intent));
        debug_assert_eq!(
            check(view.value(), contract).err(),
            None,
            "composed views hold"
        );
        let view = self.keep(view);
        let mut composed = self.composed.lock();
        if is_clean_up_due(composed.len()) {
            composed.retain(|_, view| view.strong_count() > 0);
        }
        composed.insert(key, Arc::downgrade(&view));
        view
    }

    /// The contract of a hash, where someone holds it.
    pub(super) fn held_contract(&self, hash: DocumentHash) -> Option<Arc<CompiledContract>> {
        let kept = self.kept.lock();
        kept.get(&hash).and_then(|entry| entry.contract.upgrade())
    }

    /// The view of a hash, where someone holds it.
    pub(super) fn held_view(&self, hash: DocumentHash) -> Option<Arc<View>> {
        self.views.lock().get(&hash).and_then(Weak::upgrade)
    }

    /// The one that is held of equal views.
    pub(super) fn keep(&self, view: Arc<View>) -> Arc<View> {
        let hash = view.document().hash;
        let mut views = self.views.lock();
        if let Some(held) = views.get(&hash).and_then(Weak::upgrade) {
            return held;
        }
        if is_clean_up_due(views.len()) {
            views.retain(|_, view| view.strong_count() > 0);
        }
        views.insert(hash, Arc::downgrade(&view));
        view
    }

    /// What can be saved of a draft that was refused, and one remark for each place left out.
    pub(crate) fn salvage(&self, draft: &Value) -> (Option<CachedContract>, Vec<Finding>) {
        let saved = salvage(draft, &self.limits);
        let compiled = saved.contract.map(|contract| self.compile(&contract));
        (compiled.and_then(Result::ok), saved.dropped)
    }
}

fn is_clean_up_due(entries: usize) -> bool {
    entries % CLEAN_UP_EVERY == CLEAN_UP_EVERY - 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sessions_of_one_contract_and_intent_share_one_view() {
        let contracts = Contracts::default();
        let contract = contracts.compile(&json!({})).ok().unwrap().contract;
        let first = contracts.view(&contract, &"Look".into());
        assert!(Arc::ptr_eq(
            &first,
            &contracts.view(&contract, &"Look".into())
        ));
    }

    #[test]
    fn two_equal_drafts_share_one_compilation_while_someone_holds_it() {
        let contracts = Contracts::default();
        let draft = json!({"propsSpec": {"properties": {"a": {"schema": {"type": "string"}}}}});
        let first = contracts.compile(&draft).ok().unwrap().contract;
        let second = contracts.compile(&draft).ok().unwrap().contract;
        assert!(Arc::ptr_eq(&first, &second));
        drop((first, second));
        let kept = contracts.kept.lock();
        assert!(
            kept.values()
                .all(|entry| entry.contract.upgrade().is_none())
        );
    }
}

//! Whether what is stored comes to what is shown: builds for tests ask it of every session.

use std::sync::Arc;

use futures_util::FutureExt as _;

use super::cell::Cell;
use super::service::Book;
use crate::domain::event::{Record, SessionState};
use crate::wire::ids::Seq;

impl Book {
    /// The sessions whose stored events come to something else than their state, a sentence each.
    /// Stores that have to be waited for are not asked.
    pub(crate) fn fold_mismatches(&self) -> Vec<String> {
        let cells: Vec<_> = self.cells.iter().map(|cell| Arc::clone(&cell)).collect();
        let mismatches = cells.iter().filter_map(|cell| self.fold_mismatch(cell));
        mismatches.collect()
    }

    /// The same of one session that is about to end.
    pub(super) fn assert_folds(&self, cell: &Cell) {
        let mismatch = self.fold_mismatch(cell);
        assert!(mismatch.is_none(), "{}", mismatch.unwrap_or_default());
    }

    fn fold_mismatch(&self, cell: &Cell) -> Option<String> {
        let live = cell.session();
        // One that was deleted meanwhile, or a store that fails on purpose, has nothing to compare.
        let stored = self.store.read(&cell.key, Seq::default());
        let stored = stored.now_or_never()?.ok()?;
        let known = stored.iter().filter(|record| record.seq <= live.seq);
        let read = known.map(|record| {
            let text = record.to_json()?;
            Record::from_json(&text).map(Arc::new)
        });
        let records: Vec<_> = match read.collect::<serde_json::Result<_>>() {
            Ok(records) => records,
            Err(error) => return Some(format!("{}: {error}", cell.key)),
        };
        let folded = SessionState::fold(&cell.key, &records);
        (folded.as_ref() != Some(&live.state)).then(|| {
            format!(
                "{}: {} stored events come to\n{folded:?}\nand the session is\n{:?}",
                cell.key,
                records.len(),
                live.state
            )
        })
    }
}

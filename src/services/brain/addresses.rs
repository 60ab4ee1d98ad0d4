//! Which page an address means, and whether its collection may be changed.

use serde_json::Value;

use super::error::BrainError;
use super::intent::Intent;
use super::service::{Brain, text};
use crate::domain::brain::{Address, Place};
use crate::domain::operation::Caller;
use crate::domain::store_error::StoreError;

impl Brain {
    /// The place that an address means.
    pub(super) async fn resolve(
        &self,
        caller: &Caller,
        text: &str,
        intent: Intent,
    ) -> Result<Place, BrainError> {
        let Address { collection, slug } = Address::parse(text).map_err(BrainError::Invalid)?;
        if let Some(name) = collection {
            let collection = self.collection(&name)?;
            return Ok(Place { collection, slug });
        }
        let target = &self.collections.write_target().name;
        let at = |collection: &str| Place {
            collection: collection.to_owned(),
            slug: slug.clone(),
        };
        if self.collections.all().len() == 1 {
            return Ok(at(target));
        }
        let found = self.store.owners(&caller.principal.app, &slug).await?;
        let all = self
            .collections
            .all()
            .iter()
            .map(|collection| &collection.name);
        let owners: Vec<_> = all.filter(|name| found.contains(name)).collect();
        match (owners.as_slice(), intent) {
            ([], Intent::Create) => Ok(at(target)),
            ([], _) => Err(BrainError::NotFound(format!("page not found: {text}"))),
            ([only], Intent::Create) if *only == target => Ok(at(target)),
            ([only], Intent::Change | Intent::Read) => Ok(at(only)),
            (owners, _) => Err(BrainError::Ambiguous {
                slug: text.to_owned(),
                candidates: owners.iter().map(|owner| at(owner).to_string()).collect(),
            }),
        }
    }

    /// A collection that is there.
    pub(super) fn collection(&self, name: &str) -> Result<String, BrainError> {
        match self.collections.find(name) {
            Some(collection) => Ok(collection.name.clone()),
            None => Err(BrainError::NotFound(format!(
                "collection not found: {name}"
            ))),
        }
    }

    /// Refuses a change of a collection that may only be read.
    pub(super) fn check_writable(&self, place: &Place) -> Result<(), BrainError> {
        let collection = self.collections.find(&place.collection);
        match collection {
            Some(collection) if collection.state.is_read_only() => Err(BrainError::ReadOnly {
                collection: collection.name.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Refuses a change of a page whose collection is not ready for it, before anything else about
    /// the change is judged. What names no page is judged later.
    pub(super) async fn check_ready(
        &self,
        caller: &Caller,
        arguments: &Value,
        slugs: &[&str],
    ) -> Result<(), BrainError> {
        let is_creating = arguments.get("expected_version").is_none_or(Value::is_null);
        let intent = match (arguments.get("content"), is_creating) {
            (Some(_), true) => Intent::Create,
            _ => Intent::Change,
        };
        for slug in slugs.iter().filter_map(|name| text(arguments, name)) {
            match self.resolve(caller, slug, intent).await {
                Ok(place) => self.check_restored(&place.collection)?,
                Err(BrainError::Store(error)) => return Err(error.into()),
                // Told when the arguments are read.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The same for the page that a link starts from.
    pub(super) async fn check_link_ready(
        &self,
        caller: &Caller,
        arguments: &Value,
    ) -> Result<(), BrainError> {
        let Some(id) = arguments.get("link_id").and_then(Value::as_i64) else {
            return Ok(());
        };
        match self.store.link_by_id(&caller.principal.app, id).await {
            Ok(link) => self.check_restored(&link.from.collection),
            Err(StoreError::Missing) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses a change of a collection that is restored, or has to be compared with its source.
    pub(super) fn check_restored(&self, collection: &str) -> Result<(), BrainError> {
        match self.collections.find(collection) {
            Some(collection)
                if collection.state.is_restoring() || collection.state.needs_full_sync() =>
            {
                Err(BrainError::Restoring {
                    collection: collection.name.clone(),
                    needs_full_sync: collection.state.needs_full_sync(),
                })
            }
            _ => Ok(()),
        }
    }
}

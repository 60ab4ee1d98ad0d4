//! Handshakes that are open: kept for good, and in memory with what they name.

use std::sync::Arc;

use super::service::Book;
use crate::domain::blueprint::{Blueprint, OpenBlueprint};
use crate::domain::document::DocumentHash;
use crate::domain::handshake::OpenHandshake;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::{AppId, HandshakeId};

impl Book {
    /// Keeps a handshake until it is claimed or expires.
    pub(crate) async fn offer(&self, open: OpenHandshake) -> Result<(), StoreError> {
        let mut documents = vec![open.contract.document()];
        documents.extend(open.view.iter().map(|view| view.document()));
        documents.extend(open.matched.iter().flat_map(|matched| matched.documents()));
        let open_max = self.limits.handshakes.open_max;
        let handshake = Arc::clone(&open.handshake);
        let put = self.store.put_handshake(handshake, documents, open_max);
        if let Err(error) = put.await {
            let is_there = matches!(error, StoreError::Unavailable { .. })
                && self.store.handshake(&open.app, &open.id).await.is_ok();
            if !is_there {
                return Err(error);
            }
        }
        let key = (open.app.clone(), open.id.clone());
        self.handshakes.insert(key, Arc::new(open));
        Ok(())
    }

    /// A handshake that is kept, expired or not.
    pub(crate) async fn handshake(
        &self,
        app: &AppId,
        id: &HandshakeId,
    ) -> Result<Arc<OpenHandshake>, StoreError> {
        let key = (app.clone(), id.clone());
        if let Some(open) = self.handshakes.get(&key) {
            return Ok(Arc::clone(&open));
        }
        let handshake = self.store.handshake(app, id).await?;
        let matched = match &handshake.matched {
            None => None,
            Some(blueprint) => Some(Arc::new(self.blueprint(blueprint).await?)),
        };
        let open = Arc::new(OpenHandshake {
            contract: self.contract(handshake.contract).await?,
            view: self.drawn(handshake.view).await?,
            matched,
            handshake,
        });
        self.handshakes.insert(key, Arc::clone(&open));
        Ok(open)
    }

    async fn drawn(&self, hash: Option<DocumentHash>) -> Result<Option<Arc<View>>, StoreError> {
        match hash {
            None => Ok(None),
            Some(hash) => self.view(hash).await.map(Some),
        }
    }

    async fn blueprint(&self, blueprint: &Arc<Blueprint>) -> Result<OpenBlueprint, StoreError> {
        Ok(OpenBlueprint {
            contract: self.contract(blueprint.contract).await?,
            view: self.drawn(blueprint.view).await?,
            blueprint: Arc::clone(blueprint),
        })
    }
}

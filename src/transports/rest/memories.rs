//! `/api/v1/memories` and `/api/v1/search`: pages by their ids, to remember, find, change and forget.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, Request};
use serde_json::json;

use super::answer::{create, delete, read, write_body};
use super::body;
use super::page::{page, params};
use crate::domain::operation::table::{
    ChangeMemory, ChangePage, CreateMemory, DeleteMemory, DeletePage, GetMemory, GetVersion,
    ListMemories, ListVersions, SearchMemories,
};
use crate::domain::principal::Principal;
use crate::transports::http::Front;

/// `GET /api/v1/memories`: those of the caller's app, newest first.
pub(crate) async fn memories(
    State(front): State<Arc<Front>>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    page::<ListMemories>(&front.access, principal, query.as_deref()).await
}

/// `POST /api/v1/memories`: a new one.
pub(crate) async fn create_memory(
    State(front): State<Arc<Front>>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    let (parts, arguments) = match body::read(&front, &principal, request).await {
        Ok(read) => read,
        Err(fault) => return fault.to_rest(),
    };
    let (access, headers) = (&front.access, &parts.headers);
    create::<CreateMemory>(access, principal, headers, arguments).await
}

/// `GET /api/v1/memories/{memory}`: one, by its id or its slug.
pub(crate) async fn memory(
    State(front): State<Arc<Front>>,
    Path(memory): Path<String>,
    principal: Principal,
) -> Response {
    read::<GetMemory>(&front.access, principal, json!({ "id": memory })).await
}

/// `PATCH /api/v1/memories/{memory}`: what the body names becomes another.
pub(crate) async fn change_memory(
    State(front): State<Arc<Front>>,
    Path(memory): Path<String>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    let about = ("id", memory);
    write_body::<ChangeMemory>(&front, &principal, principal.clone(), request, about).await
}

/// `DELETE /api/v1/memories/{memory}`: gone, with its versions.
pub(crate) async fn delete_memory(
    State(front): State<Arc<Front>>,
    Path(memory): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let arguments = json!({ "id": memory });
    delete::<DeleteMemory>(&front.access, principal, &headers, arguments).await
}

/// `PATCH /stage/pages/{page}`: the same on the stage, where a person may change more than agents,
/// and whoever is none what they may change elsewhere.
pub(crate) async fn change_page(
    State(front): State<Arc<Front>>,
    Path(page): Path<String>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    let (about, actor) = (("id", page), principal.clone().in_person());
    match actor.is_person {
        true => write_body::<ChangePage>(&front, &principal, actor, request, about).await,
        false => write_body::<ChangeMemory>(&front, &principal, actor, request, about).await,
    }
}

/// `DELETE /stage/pages/{page}`: the same on the stage.
pub(crate) async fn delete_page(
    State(front): State<Arc<Front>>,
    Path(page): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let (access, principal) = (&front.access, principal.in_person());
    let arguments = json!({ "id": page });
    match principal.is_person {
        true => delete::<DeletePage>(access, principal, &headers, arguments).await,
        false => delete::<DeleteMemory>(access, principal, &headers, arguments).await,
    }
}

/// `GET /api/v1/memories/{memory}/versions`: newest first.
pub(crate) async fn versions(
    State(front): State<Arc<Front>>,
    Path(memory): Path<String>,
    RawQuery(query): RawQuery,
    principal: Principal,
) -> Response {
    match params(query.as_deref()) {
        Ok(params) => {
            let mut arguments = json!(params);
            arguments["id"] = memory.into();
            read::<ListVersions>(&front.access, principal, arguments).await
        }
        Err(fault) => fault.to_rest(),
    }
}

/// `GET /api/v1/memories/{memory}/versions/{version}`: what it said then.
pub(crate) async fn version(
    State(front): State<Arc<Front>>,
    Path((memory, version)): Path<(String, String)>,
    principal: Principal,
) -> Response {
    let arguments = json!({ "id": memory, "version": version });
    read::<GetVersion>(&front.access, principal, arguments).await
}

/// `POST /api/v1/search`: by words, or by a slug or title.
pub(crate) async fn search(
    State(front): State<Arc<Front>>,
    principal: Principal,
    request: Request<Body>,
) -> Response {
    match body::read(&front, &principal, request).await {
        Ok((_, arguments)) => read::<SearchMemories>(&front.access, principal, arguments).await,
        Err(fault) => fault.to_rest(),
    }
}

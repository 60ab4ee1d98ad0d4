//! The pages people see: the stage, one render alone, and the sandboxed frames inside them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::feed::row;
use super::shell;
use super::shell::Failed;
use super::state::Stage;
use crate::domain::compose::explain;
use crate::domain::credentials::ChannelPass;
use crate::domain::digest::hex;
use crate::domain::principal::{Door, Principal, Scopes};
use crate::domain::session::Session;
use crate::transports::faults::Fault;
use crate::transports::request::{Form, Identity, Parameters, Reader, form, text};
use crate::wire::fault::Code;
use crate::wire::ids::{SessionKey, ShortCode};
use crate::wire::stage::{StageConfig, StagePage};

/// The stage, built from `web-host`: one self-contained page.
const STAGE: &str = include_str!("../../../web-host/dist/stage.html");
/// Where the page's configuration goes.
const CONFIG_MARK: &str = "/*__PROSCENIUM_STAGE__*/";
/// Bytes of randomness in a nonce.
const NONCE_BYTES: usize = 16;

/// `GET /`: every session of the caller's app, live.
pub(crate) async fn all(
    State(stage): State<Arc<Stage>>,
    _: Reader,
    headers: HeaderMap,
) -> Response {
    page(
        &stage,
        &headers,
        StagePage::All {
            feed_url: "/stage/feed",
            demo_url: demo_url(&stage),
            confirms: stage.has_gate,
        },
        true,
        "'self'",
    )
}

/// Where the demo is asked for, as long as the stage offers it.
fn demo_url(stage: &Stage) -> Option<&'static str> {
    #[cfg(feature = "demo")]
    return stage.offer.is_open().then_some("/stage/demo");
    #[cfg(not(feature = "demo"))]
    {
        let _ = stage;
        None
    }
}

/// `GET /r/{code}`: one render alone; knowing the code is the permission.
pub(crate) async fn one(
    State(stage): State<Arc<Stage>>,
    Path(code): Path<String>,
    Identity(caller): Identity,
    headers: HeaderMap,
) -> Response {
    let session = match opened(&stage, &code).await {
        Ok(session) => session,
        Err(fault) => return lost_link(&stage, &fault),
    };
    let (key, summary) = (&session.key, session.summary());
    let session = row(key, &summary, &stage, format!("/r/{code}/frame"), true);
    // What a frame asks of the server goes with the caller's own credential, if there is one.
    let relays = caller.is_ok();
    page(
        &stage,
        &headers,
        StagePage::One { session },
        relays,
        &stage.site.embedders(),
    )
}

/// `GET /r/{code}/frame`: to the frame, with a fresh token. The code is a person's own: it opens all
/// a person may do there, whoever rendered it.
pub(crate) async fn one_frame(
    State(stage): State<Arc<Stage>>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Response {
    match opened(&stage, &code).await {
        Ok(session) => to_frame(&stage, &headers, &session.key, Scopes::all(), None),
        Err(fault) => no_frame(&stage, &headers, &fault),
    }
}

/// `GET /stage/frame/{session}`: to the frame, with a fresh token. A person there may do what the
/// credential may with which they came to the stage.
pub(crate) async fn stage_frame(
    State(stage): State<Arc<Stage>>,
    Path(session): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    let principal = principal.on_stage();
    let mounted = stage
        .access
        .check_mount(Door::Rest, &principal, Some(&session))
        .await;
    if let Err(fault) = mounted {
        return no_frame(&stage, &headers, &fault);
    }
    match stage.live.read_as(&principal, &session).await {
        Ok(session) => {
            let (scopes, holder) = (principal.channel_scopes(), principal.person());
            to_frame(&stage, &headers, &session.key, scopes, holder)
        }
        Err(error) => no_frame(&stage, &headers, &error.into()),
    }
}

/// `GET /stage/explain/{session}`: what is drawn of its contract and why, for authors who want to see
/// which hint to give.
pub(crate) async fn explained(
    State(stage): State<Arc<Stage>>,
    Path(session): Path<String>,
    principal: Principal,
) -> Response {
    let mounted = stage
        .access
        .check_mount(Door::Rest, &principal, Some(&session))
        .await;
    if let Err(fault) = mounted {
        return fault.to_rest();
    }
    match stage.live.read_as(&principal, &session).await {
        Ok(session) => {
            let explained = explain(&session.contract, &session.creation.intent);
            ([(CACHE_CONTROL, no_store())], Json(explained)).into_response()
        }
        Err(error) => Fault::from(error).to_rest(),
    }
}

fn to_frame(
    stage: &Stage,
    headers: &HeaderMap,
    key: &SessionKey,
    scopes: Scopes,
    holder: Option<Arc<str>>,
) -> Response {
    let base = stage.site.frame_base(text(headers, HOST.as_str()));
    let token = stage.access.credentials.mint_ws(key, scopes, holder);
    let address = format!("{base}/frame/{}?wsToken={}", key.session, token.text);
    match HeaderValue::from_str(&address) {
        Ok(address) => {
            let headers = [(LOCATION, address), (CACHE_CONTROL, no_store())];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Err(_) => Fault::of(Code::NotFound).to_rest(),
    }
}

/// `GET /frame/{session}`: the shell, under a policy that gives it an origin of its own.
pub(crate) async fn frame(
    State(stage): State<Arc<Stage>>,
    Path(session): Path<String>,
    query: Parameters,
    headers: HeaderMap,
) -> Response {
    match shown(&stage, &session, query.get("wsToken").unwrap_or_default()).await {
        Ok((session, pass)) => {
            let shell = shell::of_session(&session, &stage.slices.within(&session, &pass));
            with_policy(&shell.to_html(), &shell.policy(&stage.site))
        }
        Err(fault) => no_frame(&stage, &headers, &fault),
    }
}

async fn shown(
    stage: &Stage,
    session: &str,
    token: &str,
) -> Result<(Arc<Session>, ChannelPass), Fault> {
    let pass = stage.access.credentials.check_channel(token)?;
    if pass.key.session.as_str() != session {
        return Err(Fault::of(Code::BootstrapSessionMismatch));
    }
    stage
        .access
        .check_mount(Door::Rest, &pass.viewer(), Some(session))
        .await?;
    let session = stage.live.read(&pass.key).await?;
    Ok((session, pass))
}

/// A frame without a session. Whatever page it stands in, the person in front of it reads a sentence
/// and not what a browser makes of a refusal; a program reads the refusal.
fn no_frame(stage: &Stage, headers: &HeaderMap, fault: &Fault) -> Response {
    if form(headers) != Some(Form::Page) {
        return fault.to_rest();
    }
    let row = fault.code().row();
    let reason = row.looks.page.unwrap_or(row.word);
    let shown_as = match fault.code() {
        // To a person both are the same.
        Code::BootstrapExpired => Code::SessionNotFound,
        code => code,
    };
    let page = shell::of_failure(reason, fault.message(), shown_as.row().sentence());
    failed(stage, &page, fault)
}

/// A person who follows an old link is told so; whether it ever led anywhere is not.
fn lost_link(stage: &Stage, fault: &Fault) -> Response {
    let row = fault.code().row();
    let page = if fault.code() == Code::StoreUnavailable {
        // Nothing is lost: the same link shows it in a moment.
        shell::of_failure(row.word, fault.message(), row.sentence())
    } else {
        shell::of_lost_link(fault.message(), row.sentence())
    };
    failed(stage, &page, fault)
}

/// A page that says what failed, with the status of the failure.
fn failed(stage: &Stage, page: &Failed, fault: &Fault) -> Response {
    let mut response = with_policy(&page.to_html(), &page.policy(&stage.site));
    *response.status_mut() = fault.to_rest().status();
    if let Some(wait) = fault.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, wait);
    }
    response
}

async fn opened(stage: &Stage, code: &str) -> Result<Arc<Session>, Fault> {
    Ok(stage.live.opened_by(&ShortCode::from(code)).await?)
}

/// The stage page with its configuration, under a policy that runs our own script only, and only
/// inside pages of `embedders`.
fn page(
    stage: &Stage,
    headers: &HeaderMap,
    page: StagePage,
    relays: bool,
    embedders: &str,
) -> Response {
    let config = StageConfig {
        page,
        relays,
        has_model: stage.has_model,
        version: env!("CARGO_PKG_VERSION"),
        mcp_url: stage.site.mcp_url(),
        public_url: stage.site.base().to_owned(),
    };
    let nonce = nonce(stage);
    // Keys of our own types are texts: writing them to memory cannot fail.
    let config = serde_json::to_string(&config).unwrap_or_default();
    let config = shell::escape(&config);
    let html = STAGE
        .replacen(
            CONFIG_MARK,
            &format!("globalThis.__PROSCENIUM_STAGE__ = {config};"),
            1,
        )
        .replace("<script", &format!("<script nonce=\"{nonce}\""));
    let frames = stage.site.frame_base(text(headers, HOST.as_str()));
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src 'self' data:; connect-src 'self'; frame-src 'self' {frames}; \
         form-action 'none'; base-uri 'none'; frame-ancestors {embedders}"
    );
    with_policy(&html, &policy)
}

fn with_policy(html: &str, policy: &str) -> Response {
    let mut response = Html(html.to_owned()).into_response();
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(CACHE_CONTROL, no_store());
    let permissions = HeaderName::from_static("permissions-policy");
    headers.insert(
        permissions,
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    );
    response
}

fn no_store() -> HeaderValue {
    HeaderValue::from_static("no-store")
}

fn nonce(stage: &Stage) -> String {
    let mut bytes = [0; NONCE_BYTES];
    stage.ids.fill(&mut bytes);
    hex(&bytes)
}

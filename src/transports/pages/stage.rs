//! The pages people see: the stage, one render alone, and the sandboxed frames inside them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::feed::row;
use super::shell;
use super::shell::Failed;
use crate::domain::digest::hex;
use crate::domain::principal::{Principal, Scopes};
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::services::auth::ChannelPass;
use crate::transports::doors::Doors;
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
    State(doors): State<Arc<Doors>>,
    _: Reader,
    headers: HeaderMap,
) -> Response {
    page(
        &doors,
        &headers,
        StagePage::All {
            feed_url: "/stage/feed",
            demo_url: demo_url(&doors),
        },
        true,
        "'self'",
    )
}

/// Where the demo is asked for, as long as the stage offers it.
fn demo_url(doors: &Doors) -> Option<&'static str> {
    #[cfg(feature = "demo")]
    return doors.offer.is_open().then_some("/stage/demo");
    #[cfg(not(feature = "demo"))]
    {
        let _ = doors;
        None
    }
}

/// `GET /r/{code}`: one render alone; knowing the code is the permission.
pub(crate) async fn one(
    State(doors): State<Arc<Doors>>,
    Path(code): Path<String>,
    Identity(caller): Identity,
    headers: HeaderMap,
) -> Response {
    let session = match opened(&doors, &code).await {
        Ok(session) => session,
        Err(fault) => return lost_link(&doors, &fault),
    };
    let session = row(&session, &doors, format!("/r/{code}/frame"), true);
    // What a frame asks of the server goes with the caller's own credential, if there is one.
    let relays = caller.is_ok();
    page(
        &doors,
        &headers,
        StagePage::One { session },
        relays,
        &doors.site.embedders(),
    )
}

/// `GET /r/{code}/frame`: to the frame, with a fresh token. The code is a person's own: it opens all
/// a person may do there, whoever rendered it.
pub(crate) async fn one_frame(
    State(doors): State<Arc<Doors>>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Response {
    match opened(&doors, &code).await {
        Ok(session) => to_frame(&doors, &headers, &session.key, Scopes::all()),
        Err(fault) => no_frame(&doors, &headers, &fault),
    }
}

/// `GET /stage/frame/{session}`: to the frame, with a fresh token. A person there may do what the
/// credential may with which they came to the stage.
pub(crate) async fn stage_frame(
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    principal: Principal,
    headers: HeaderMap,
) -> Response {
    if let Err(fault) = doors.may_read(&principal) {
        return no_frame(&doors, &headers, &fault);
    }
    match doors.live.read_as(&principal, &session).await {
        Ok(session) => to_frame(&doors, &headers, &session.key, principal.channel_scopes()),
        Err(error) => no_frame(&doors, &headers, &unreadable(&error)),
    }
}

fn to_frame(doors: &Doors, headers: &HeaderMap, key: &SessionKey, scopes: Scopes) -> Response {
    let base = doors.site.frame_base(text(headers, HOST.as_str()));
    let token = doors.auth.mint_ws(key, scopes);
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
    State(doors): State<Arc<Doors>>,
    Path(session): Path<String>,
    query: Parameters,
    headers: HeaderMap,
) -> Response {
    match shown(&doors, &session, query.get("wsToken").unwrap_or_default()).await {
        Ok((session, pass)) => {
            let shell = shell::of_session(&session, &doors.slice_within(&session, &pass));
            with_policy(&shell.to_html(), &shell.policy(&doors.site))
        }
        Err(fault) => no_frame(&doors, &headers, &fault),
    }
}

async fn shown(
    doors: &Doors,
    session: &str,
    token: &str,
) -> Result<(Arc<Session>, ChannelPass), Fault> {
    let pass = doors.auth.check_channel(token)?;
    if pass.key.session.as_str() != session {
        return Err(Fault::of(Code::BootstrapSessionMismatch));
    }
    doors.may_read(&pass.viewer())?;
    let session = read(doors, &pass.key).await?;
    Ok((session, pass))
}

/// A frame without a session. Whatever page it stands in, the person in front of it reads a sentence
/// and not what a browser makes of a refusal; a program reads the refusal.
fn no_frame(doors: &Doors, headers: &HeaderMap, fault: &Fault) -> Response {
    if form(headers) != Some(Form::Page) {
        return fault.to_rest();
    }
    let reason = match fault.code() {
        Code::SessionNotFound => "SESSION_NOT_FOUND",
        Code::BootstrapExpired => "EXPIRED_BOOTSTRAP",
        code if matches!(code.row().status, 401 | 403) => "AUTH_REJECTED",
        code => code.row().word,
    };
    let told = match fault.code() {
        // To a person both are the same.
        Code::BootstrapExpired => Code::SessionNotFound,
        code => code,
    };
    let page = shell::of_failure(reason, fault.message(), told.row().sentence());
    failed(doors, &page, fault)
}

/// A person who follows an old link is told so; whether it ever led anywhere is not.
fn lost_link(doors: &Doors, fault: &Fault) -> Response {
    let sentence = fault.code().row().sentence();
    failed(
        doors,
        &shell::of_lost_link(fault.message(), sentence),
        fault,
    )
}

/// A page that says what failed, with the status of the failure.
fn failed(doors: &Doors, page: &Failed, fault: &Fault) -> Response {
    let mut response = with_policy(&page.to_html(), &page.policy(&doors.site));
    *response.status_mut() = fault.to_rest().status();
    response
}

async fn opened(doors: &Doors, code: &str) -> Result<Arc<Session>, Fault> {
    let key = doors.log.opened_by(&ShortCode::from(code)).await;
    let key = key.map_err(|error| unreadable(&error))?;
    read(doors, &key).await
}

async fn read(doors: &Doors, key: &SessionKey) -> Result<Arc<Session>, Fault> {
    doors
        .live
        .read(key)
        .await
        .map_err(|error| unreadable(&error))
}

fn unreadable(error: &StoreError) -> Fault {
    Fault::unread(error, Code::SessionNotFound, Code::Internal)
}

/// The stage page with its configuration, under a policy that runs our own script only, and only
/// inside pages of `embedders`.
fn page(
    doors: &Doors,
    headers: &HeaderMap,
    page: StagePage,
    relays: bool,
    embedders: &str,
) -> Response {
    let config = StageConfig {
        page,
        relays,
        version: env!("CARGO_PKG_VERSION"),
        mcp_url: doors.site.mcp_url(),
        public_url: doors.site.base().to_owned(),
    };
    let nonce = nonce(doors);
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
    let frames = doors.site.frame_base(text(headers, HOST.as_str()));
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

fn nonce(doors: &Doors) -> String {
    let mut bytes = [0; NONCE_BYTES];
    doors.ids.fill(&mut bytes);
    hex(&bytes)
}

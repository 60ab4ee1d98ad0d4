//! A web server of somebody else, with pages that embed ours or may not.

use axum::Router;
use tokio::net::TcpListener;

/// A listener on a free port.
pub(crate) async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a port")
}

/// Serves pages and returns host and port.
pub(crate) async fn serve(listener: TcpListener, pages: Router) -> String {
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move { axum::serve(listener, pages).await });
    address.to_string()
}

//! A server of somebody else: pages that ours are embedded in, or kept from.

use axum::Router;
use tokio::net::TcpListener;

/// A place for one.
pub(crate) async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a port")
}

/// Serves its pages; host and port.
pub(crate) async fn serve(listener: TcpListener, pages: Router) -> String {
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move { axum::serve(listener, pages).await });
    address.to_string()
}

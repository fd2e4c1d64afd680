//! The page, the scene as TOML and the WebSocket over HTTP, and which requests are let in.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::engine::Command;
use crate::hub::Hub;
use crate::viewer::{self, CloseReason, ENDED};

/// Bytes of the largest message a viewer may send: a key and its value, a list of a thousand points
/// for one.
const LARGEST_MESSAGE: usize = 64 * 1024;

/// Connections that are no viewers (yet): a newcomer takes, when there are so many, the place of
/// the one that has been there longest. With [`viewer::MOST_VIEWERS`], far fewer than the files
/// that a process may have open.
const MOST_VISITORS: usize = 64;

/// How often the step under way is looked at.
const WATCH: Duration = Duration::from_millis(250);

/// How long a connection may take to become a viewer, or to fetch what it came for.
const VISIT: Duration = Duration::from_secs(60);

/// The page's content security policy: its own scripts and styles, connections to the server it
/// came from, nothing from elsewhere, and no page may frame it. Not every browser takes `'self'`
/// for a WebSocket too.
fn policy(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src \
         'unsafe-inline'; connect-src 'self' ws://{host}; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

impl Hub {
    /// Tells the engine.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub fn tell(&self, command: Command) -> Result<(), CloseReason> {
        self.commands.send(command).map_err(|_| ENDED)
    }
}

/// Serves until the view ends, and then for as long as viewers need to hear of it.
pub async fn serve(listener: TcpListener, hub: Arc<Hub>) -> std::io::Result<()> {
    let mut ending = hub.ending.subscribe();
    let app = Router::new()
        .route("/", get(page))
        .route("/scene.toml", get(scene))
        .route("/live", get(live))
        .layer(from_fn_with_state(Arc::clone(&hub), guard))
        .with_state(Arc::clone(&hub));
    let watching = async {
        loop {
            tokio::time::sleep(WATCH).await;
            hub.published.tell_of_long_step();
            hub.published.give_up_long_step();
        }
    };
    tokio::select! {
        () = receive(listener, app) => Ok(()),
        () = watching => Ok(()),
        _ = ending.wait_for(|&ending| ending) => {
            for _ in 0..20 {
                if hub.viewers.load(std::sync::atomic::Ordering::Relaxed) == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Ok(())
        }
    }
}

/// Serves all viewers that connect, for ever.
async fn receive(listener: TcpListener, app: Router) {
    let mut visitors: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // It went away before it was let in; or the process may open no more files, and one
                // that waits makes room.
                if error.kind() != ErrorKind::ConnectionAborted
                    && let Some(first) = visitors.pop_front()
                {
                    first.abort();
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        visitors.retain(|visitor| !visitor.is_finished());
        if visitors.len() >= MOST_VISITORS
            && let Some(first) = visitors.pop_front()
        {
            first.abort();
        }
        // Small answers wait for no acknowledgement of what went before.
        drop(stream.set_nodelay(true));
        let service = TowerToHyperService::new(app.clone());
        // Of one that becomes a viewer this is over then.
        let visit =
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades();
        visitors.push_back(tokio::spawn(tokio::time::timeout(VISIT, visit)).abort_handle());
        // All that are connected have a turn before the next is let in. A crowd that comes at once
        // would else be shown out before it is heard, and with it a viewer among them.
        tokio::task::yield_now().await;
    }
}

async fn page(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> impl IntoResponse {
    Html(hub.page.at(text(&headers, header::HOST).unwrap_or_default()))
}

/// The scene as tuned, to be saved.
async fn scene(State(hub): State<Arc<Hub>>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "application/toml; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"tuned.toml\""),
    ];
    (headers, hub.published.state.borrow().1.clone())
}

async fn live(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let host = text(&headers, header::HOST).unwrap_or_default();
    // Every browser names the page a script comes from, and no other page has any business here.
    if text(&headers, header::ORIGIN) != Some(&format!("http://{host}")) {
        return (
            StatusCode::FORBIDDEN,
            "only the view's own page may connect (the Origin header says otherwise)\n",
        )
            .into_response();
    }
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| viewer::serve(socket, hub))
}

/// Refuses requests under another name than the server's, as pages elsewhere send whose name was
/// pointed to this address (DNS rebinding), and sets the headers that all answers have.
async fn guard(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let given = text(request.headers(), header::HOST);
    let host = given.filter(|host| names_this_server(host, hub.local)).map(str::to_string);
    let mut response = match (given, &host) {
        (_, Some(_)) => next.run(request).await,
        // RFC 9112, 3.2.
        (None, _) => {
            (StatusCode::BAD_REQUEST, "a request has one Host header, in ASCII\n").into_response()
        }
        _ => {
            let why = "the view answers to its own address only (the Host header says otherwise)\n";
            (StatusCode::FORBIDDEN, why).into_response()
        }
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A name that is let in has no character that a header refuses.
    if let Some(policy) = host.and_then(|host| HeaderValue::from_str(&policy(&host)).ok()) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The text of a header that is given once: of two of one name the next reader may take the other.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
}

/// Whether a Host header names this server: its address, or `localhost` for a loopback address.
/// Where it listens on all addresses, any address does, but no other name: a name can be pointed
/// anywhere.
fn names_this_server(host: &str, local: SocketAddr) -> bool {
    let port = local.port();
    let (name, named) = match host.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && !port.ends_with(']') => {
            (name, port.parse().ok())
        }
        _ => (host, Some(80)),
    };
    if named != Some(port) {
        return false;
    }
    if name == "localhost" {
        return local.ip().is_loopback() || local.ip().is_unspecified();
    }
    let address =
        name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse();
    address
        .is_ok_and(|address: std::net::IpAddr| address == local.ip() || local.ip().is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart() {
        let ours =
            |host: &str, local: &str| names_this_server(host, local.parse().expect("an address"));
        for host in ["127.0.0.1:7747", "localhost:7747"] {
            assert!(ours(host, "127.0.0.1:7747"), "{host}");
        }
        assert!(
            ours("[::1]:7747", "[::1]:7747")
                && ours("127.0.0.1", "127.0.0.1:80")
                && ours("[::1]", "[::1]:80")
        );
        assert!(ours("192.168.1.5:7747", "0.0.0.0:7747") && ours("localhost:7747", "0.0.0.0:7747"));
        for host in [
            "evil.example:7747",
            "127.0.0.1:7748",
            "127.0.0.1",
            "localhost",
            "",
            "127.0.0.1:7747.evil.example",
            "[::1]:7747",
        ] {
            assert!(!ours(host, "127.0.0.1:7747"), "{host}");
        }
        assert!(
            !ours("evil.example:7747", "0.0.0.0:7747")
                && !ours("localhost:7747", "192.168.1.5:7747")
        );
    }
}

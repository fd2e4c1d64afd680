//! The page: the player of recordings with the flock behind this server for a source.

use wingbeat_page::player;

/// The connection to this server.
const SOCKET: &str = include_str!("../assets/socket.js");

/// Starts the player. The page carries the engine to know where the obstacles of the scene are.
const START: &str = "Wingbeat.flight(Wingbeat.connectServer, { world: Wingbeat.engine(document, { \
    toml: true })?.world });";

/// Stands in the page for the address of its WebSocket.
const ADDRESS: &str = "ws://ADDRESS";

/// The page, but for the server's name.
pub struct Page {
    text: String,
}

impl Page {
    /// A page with this title, for a flock of so many dimensions.
    pub fn new(title: &str, dimensions: usize) -> Self {
        // Not every browser takes 'self' for the WebSocket of the same server too.
        let parts = player(
            title,
            &format!("{SOCKET}\n{START}"),
            &format!("'self' {ADDRESS}"),
            Some(dimensions),
        );
        Self { text: parts.before + &parts.after }
    }

    /// The page as served under this name, which must be one that names this server.
    pub fn at(&self, host: &str) -> String {
        self.text.replacen(ADDRESS, &format!("ws://{host}"), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_whole() {
        let page = Page::new("a <b>", 2).at("localhost:7");
        assert!(page.contains("<title>a &lt;b&gt;</title>"), "the title");
        assert!(
            page.contains("connect-src 'self' ws://localhost:7;") && !page.contains(ADDRESS),
            "where it may connect"
        );
        for part in ["const packedPlayer = ", "Wingbeat.run(packedPlayer)", ".panel"] {
            assert!(page.contains(part), "{part}");
        }
        let left = ["<!--TITLE", "<!--CONNECT", "<!--DATA", "<!--SCRIPTS", "<!--STYLE"]
            .into_iter()
            .find(|&hole| page.contains(hole));
        assert!(
            page.trim_end().ends_with("</html>") && left.is_none(),
            "{left:?} was not filled in"
        );
    }
}

//! The page: the player of recordings with another source of frames, and the panel of sliders.

use wingbeat_page::player;

const STYLE: &str = include_str!("../assets/panel.css");

/// The page's own scripts, in the order in which they need each other. The last starts it all.
const SCRIPTS: [&str; 4] = [
    include_str!("../assets/socket.js"),
    include_str!("../assets/live.js"),
    include_str!("../assets/panel.js"),
    include_str!("../assets/start.js"),
];

/// Stands in the page for the address of its WebSocket.
const ADDRESS: &str = "ws://ADDRESS";

/// The page, but for the server's name.
pub struct Page {
    text: String,
}

impl Page {
    /// A page with this title.
    pub fn new(title: &str) -> Self {
        // Not every browser takes 'self' for the WebSocket of the same server too.
        let parts = player(title, &SCRIPTS.join("\n"), &format!("'self' {ADDRESS}"));
        Self { text: format!("{}<style>\n{STYLE}</style>\n{}", parts.before, parts.after) }
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
        let page = Page::new("a <b>").at("localhost:7");
        assert!(page.contains("<title>a &lt;b&gt;</title>"), "the title");
        assert!(page.contains("connect-src 'self' ws://localhost:7;") && !page.contains(ADDRESS), "whom it may talk to");
        for part in ["Wingbeat.start = ", "Wingbeat.live = ", "Wingbeat.panel = ", ".panel"] {
            assert!(page.contains(part), "{part}");
        }
        let left =
            ["<!--TITLE", "<!--CONNECT", "<!--DATA", "<!--SCRIPTS", "/*STYLE"].into_iter().find(|&hole| page.contains(hole));
        assert!(page.trim_end().ends_with("</html>") && left.is_none(), "{left:?} was not filled in");
    }
}

//! Pages without a flock: text and tables.

use crate::assets::{escape, marked};

const PLAIN: &str = include_str!("../assets/plain.html");

/// A page of this title with styles and a body of the caller's, as HTML: one file that fetches
/// nothing and runs no script.
///
/// ```
/// let page = wingbeat_page::plain_page("a <title>", "td { color: red; }", "<p>text</p>\n");
/// assert!(
///     page.contains("<title>a &lt;title&gt;</title>")
///         && page.contains("<body>\n<p>text</p>\n</body>")
/// );
/// assert!(wingbeat_page::is_page(page.as_bytes()));
/// ```
pub fn plain_page(title: &str, style: &str, body: &str) -> String {
    let page = marked(PLAIN).replacen("<!--TITLE-->", &escape(title), 1);
    page.replacen("<!--STYLE-->", style, 1).replacen("<!--BODY-->", body, 1)
}

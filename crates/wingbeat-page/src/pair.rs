//! Two recordings in one page: the pages of both, side by side, under one timeline.

use crate::Page;
use crate::assets::{escape, lean, marked};

const HTML: &str = include_str!("../assets/pair.html");
const STYLE: &str = include_str!("../assets/pair.css");
const SCRIPT: &str = include_str!("../assets/pair.js");

/// One page that holds two, with their titles, and plays them in step: both are shown at the same
/// time since their first frame. It is longer than both together by some ten kilobytes and by what
/// stands for their quotation marks.
///
/// ```
/// # use wingbeat_page::{PageOptions, is_page, pair, replay};
/// # use wingbeat_record::{Frames, Options};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("two.csv");
/// # std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
/// let mut frames =
/// #     Frames::open(&path, &Options { fps: Some(10.0), ..Options::default() }, &|_, _| true)?;
/// let page = replay(&mut frames, &PageOptions::default())?;
/// let html = pair([(&page, "measured"), (&page, "simulated")]);
/// assert!(is_page(&html) && html.len() > 2 * page.html.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pair(pages: [(&Page, &str); 2]) -> Vec<u8> {
    let title = format!("{} and {} · Wingbeat", escape(pages[0].1), escape(pages[1].1));
    let html = marked(HTML).replacen("<!--TITLE-->", &title, 1).replacen("<!--STYLE-->", STYLE, 1);
    let html = html.replacen("<!--SCRIPT-->", &lean(SCRIPT), 1);
    let (before, after) = html.split_once("<!--PAGES-->").unwrap_or((&html, ""));
    let mut whole = before.as_bytes().to_vec();
    for (page, title) in pages {
        whole
            .extend_from_slice(format!("<iframe title=\"{}\" srcdoc=\"", escape(title)).as_bytes());
        for &byte in &page.html {
            // In an attribute two characters mean something else.
            match byte {
                b'&' => whole.extend_from_slice(b"&amp;"),
                b'"' => whole.extend_from_slice(b"&quot;"),
                other => whole.push(other),
            }
        }
        whole.extend_from_slice(b"\"></iframe>\n");
    }
    whole.extend_from_slice(after.as_bytes());
    whole
}

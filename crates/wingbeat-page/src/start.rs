//! The boids that a scene starts with, for pages of scenes that read them from a file.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A `<script>` element that holds a frame of wingbeat-session.
pub(crate) fn start_element(frame: &[u8]) -> String {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let bytes = packed.write_all(frame).and_then(|()| packed.finish()).unwrap_or_default();
    format!("<script type=\"text/plain\" id=\"start\">{}</script>\n", BASE64_STANDARD.encode(bytes))
}

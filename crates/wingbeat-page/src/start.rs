//! The boids that a scene starts with, for pages of scenes that read them from a file.

use crate::packed::zipped;

/// A `<script>` element that holds a frame of wingbeat-session.
pub(crate) fn start_element(frame: &[u8]) -> String {
    format!("<script type=\"text/plain\" id=\"start\">{}</script>\n", zipped(frame))
}

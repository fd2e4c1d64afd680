//! `wingbeat info`: what this machine offers.

use wingbeat::Level;

use crate::failure::Failure;
use crate::terminal;

/// Prints version, levels and threads.
pub fn info() -> Result<(), Failure> {
    let levels: Vec<&str> = Level::available().into_iter().map(Level::name).collect();
    let lacking: Vec<&str> =
        Level::ALL.iter().filter(|level| !level.is_available()).map(|level| level.name()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!("wingbeat {}\n", env!("CARGO_PKG_VERSION"));
    text += &format!("levels   {}\n", levels.join(", "));
    if !lacking.is_empty() {
        text += &format!("lacking  {}\n", lacking.join(", "));
    }
    text += &format!("used     {}\n", Level::detect());
    text += &format!("threads  {threads}\n");
    if let Some(bytes) = wingbeat_record::available_bytes() {
        text += &format!("memory   {:.1} GiB available\n", bytes as f64 / (1u64 << 30) as f64);
    }
    terminal::print(&text)
}

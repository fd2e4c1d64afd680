//! `wingbeat info`: what this machine offers.

use wingbeat::Level;

use crate::failure::Failure;
use crate::terminal;

/// Prints version, levels and threads.
pub fn info() -> Result<(), Failure> {
    let names = |levels: &[Level]| levels.iter().map(|l| l.name()).collect::<Vec<_>>().join(", ");
    let others = Level::ALL.iter().filter(|level| !level.is_available());
    let (lacking, left_out): (Vec<Level>, Vec<Level>) = others.partition(|l| l.is_compiled());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!("wingbeat {}\n", env!("CARGO_PKG_VERSION"));
    text += &format!("levels   {}\n", names(&Level::available()));
    if !lacking.is_empty() {
        text += &format!("lacking  {}\n", names(&lacking));
    }
    if !left_out.is_empty() {
        text += &format!("left out {} (WINGBEAT_BUILD_LEVELS=all)\n", names(&left_out));
    }
    text += &format!("used     {}\n", Level::detect());
    text += &format!("threads  {threads}\n");
    if let Some(bytes) = wingbeat_record::available_bytes() {
        text += &format!("memory   {:.1} GiB available\n", bytes as f64 / (1u64 << 30) as f64);
    }
    terminal::print(&text)
}

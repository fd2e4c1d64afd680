//! The command as people and scripts use it: the real binary, in a folder of its own for each test.

mod broken_off;
#[cfg(target_os = "linux")]
mod clock;
mod command_line;
mod common;
mod crowds;
#[cfg(unix)]
mod ctrl_c;
mod curves;
mod explain;
mod keeps_files;
mod maps;
mod measure;
mod on_ranks;
#[cfg(all(unix, not(target_os = "macos")))]
mod open;
#[cfg(target_os = "linux")]
mod out_of_memory;
mod page;
mod plot;
mod prove;
mod ramps;
mod record;
mod rejects_bad_input;
mod render;
mod replay;
mod run;
mod sequential_update;
#[cfg(all(feature = "view", target_os = "linux"))]
mod siege;
mod sweep;
mod sweep_continue;
mod sweep_seeds;
mod sweep_where;
mod trackers;
#[cfg(feature = "view")]
mod view;

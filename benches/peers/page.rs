//! docs/PEERS.md: the prose of page.md.in, figures of a run.

use wingbeat_benches::machine;

use crate::options::Options;
use crate::table::Table;

/// The page; `before` describes the machine when the run began.
pub fn text(table: &Table, options: &Options, before: &str) -> String {
    let mut asked = "cargo bench --features peers --bench peers --".to_owned();
    for (given, option) in [(options.quick, " --quick"), (options.all, " --all")] {
        asked += if given { option } else { "" };
    }
    for (name, _) in &options.with {
        asked += &format!(" --with {name}=…");
    }
    asked += " --page docs/PEERS.md";
    let machine = format!("{before}after, {}", machine::conditions());
    let notes = table.notes();
    let notes = if notes.is_empty() { "* Every contender took part.\n".into() } else { notes };
    include_str!("page.md.in")
        .replace("{command}", &asked)
        .replace("{machine}", machine.trim_end())
        .replace("{results}", table.results().trim_end())
        .replace("{contenders}", table.contenders().trim_end())
        .replace("{notes}", notes.trim_end())
}

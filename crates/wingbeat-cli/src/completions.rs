//! `wingbeat completions` and `wingbeat man`: what shells and `man` want to know, from the
//! arguments themselves.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  wingbeat completions bash > ~/.local/share/bash-completion/completions/wingbeat
  wingbeat completions zsh > \"${fpath[1]}/_wingbeat\"
  wingbeat completions fish > ~/.config/fish/completions/wingbeat.fish
  wingbeat completions powershell >> $PROFILE
  wingbeat completions elvish >> ~/.config/elvish/rc.elv";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the completions of the command for a shell.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "wingbeat", &mut text);
    terminal::print(&String::from_utf8_lossy(&text))
}

/// Prints the manual page: the command's, then each subcommand's.
pub fn man(mut command: Command) -> Result<(), Failure> {
    command.build();
    let mut text = Vec::new();
    let written = std::iter::once(&command)
        .chain(command.get_subcommands().filter(|sub| sub.get_name() != "help"));
    for part in written {
        let page = clap_mangen::Man::new(part.clone());
        page.render(&mut text)
            .map_err(|error| Failure::Other(format!("the manual cannot be written: {error}")))?;
    }
    terminal::print(&String::from_utf8_lossy(&text))
}

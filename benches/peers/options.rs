//! The command line.

use std::path::PathBuf;

const ALLOWED: &str = "\
allowed is
  --quick                few rounds, 10,000 boids and 100,000 for those fast enough: about a minute
  --only PART            points whose id has this in it, from slash to slash: 3d, 240/n10000,
                         3d/360/n100000, crowd
  --all                  also points at which a step takes long
  --with NAME=COMMAND    one contender more, a program as docs/CONTENDERS.md describes it; words of
                         the command are separated by spaces; again for each further one
  --python COMMAND       the Python of the contenders that need it (python3 unless given)
  --page FILE.md         writes the page of the results
Paths are relative to the top of the repository.";

/// What the command line asks for.
#[derive(Debug, Default)]
pub struct Options {
    pub quick: bool,
    pub all: bool,
    pub only: Only,
    pub python: String,
    pub with: Vec<(String, String)>,
    pub page: Option<PathBuf>,
}

/// A part of the ids of points, from slash to slash; the empty one is in all.
#[derive(Debug, Default)]
pub struct Only(pub String);

impl Only {
    /// Whether this is in an id.
    pub fn fits(&self, id: &str) -> bool {
        self.0.is_empty() || format!("/{id}/").contains(&format!("/{}/", self.0))
    }
}

impl Options {
    /// Reads them.
    pub fn read(arguments: Vec<String>) -> Result<Self, String> {
        let mut options = Self { python: "python3".into(), ..Self::default() };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let given = arguments.next().filter(|value| !value.is_empty());
                given.ok_or_else(|| format!("{argument} has no value; {ALLOWED}"))
            };
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--all" => options.all = true,
                "--only" => options.only = Only(value()?),
                "--python" => options.python = value()?,
                "--with" => options.with.push(contender(&value()?)?),
                "--page" => options.page = Some(page(value()?)?),
                _ => return Err(format!("unknown option \"{argument}\"; {ALLOWED}")),
            }
        }
        for (at, (name, _)) in options.with.iter().enumerate() {
            if options.with[..at].iter().any(|(other, _)| other == name) {
                return Err(format!("--with names \"{name}\" twice; each name is allowed once"));
            }
        }
        Ok(options)
    }
}

fn contender(given: &str) -> Result<(String, String), String> {
    let fits = |name: &str| {
        !name.trim().is_empty() && name.chars().all(|c| !c.is_control() && !"|`".contains(c))
    };
    match given.split_once('=') {
        Some((name, command)) if fits(name) && !command.trim().is_empty() => {
            Ok((name.trim().into(), command.into()))
        }
        _ => Err(format!("--with \"{given}\": allowed is NAME=COMMAND, a name without | and `")),
    }
}

fn page(given: String) -> Result<PathBuf, String> {
    if given.ends_with(".md") {
        Ok(given.into())
    } else {
        Err(format!("--page \"{given}\": allowed is a file that ends in .md"))
    }
}

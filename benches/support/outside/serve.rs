//! The program's side of the protocol, for contenders written in Rust.

use std::io::{BufRead as _, Read as _, Write, stdin, stdout};

use wingbeat::Domain;
use wingbeat::steer::FieldOfView;

use super::{GREETING, columns, rows};
use crate::points::{State, rules_with};
use crate::race::Clock;
use crate::steps::Stepper;

/// Answers requests about flocks of `D` dimensions in one thread until the input ends.
///
/// # Errors
/// When the input is not what the protocol demands.
pub fn serve<const D: usize, S: Stepper<D>>(
    about: &str,
    make: impl Fn(&State<D>) -> S,
) -> Result<(), String> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let broken = |error: std::io::Error| error.to_string();
    let mut header: Vec<(String, String)> = Vec::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line).map_err(broken)?;
        let (key, value) = line.trim_end().split_once(' ').ok_or("a header line without value")?;
        header.push((key.into(), value.into()));
        if key == "data" {
            break;
        }
    }
    let value = |key: &str| header.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v.as_str());
    let number = |key: &str| value(key).parse::<f32>().map_err(|e| format!("{key}: {e}"));
    let count = |key: &str| value(key).parse::<usize>().map_err(|e| format!("{key}: {e}"));
    let mut bytes = vec![0; count("data")?];
    input.read_exact(&mut bytes).map_err(broken)?;
    let mut say = |text: String| writeln!(output, "{text}").and_then(|()| output.flush());
    if format!("{} {}", header[0].0, header[0].1) != GREETING {
        return say("decline another protocol".into()).map_err(broken);
    }
    if value("kind") != "flock" || value("dimension") != D.to_string() || value("threads") != "1" {
        return say(format!("decline only flocks in {D}-D in one thread")).map_err(broken);
    }
    let view = match number("cos_half_view")? {
        none if none < -1.0 => FieldOfView::All,
        cos_half => FieldOfView::Cone { cos_half },
    };
    let side = number("box")?;
    let state = State {
        boids: rows::<D>(&bytes, count("boids")?),
        domain: Domain::reflecting([0.0; D], [side; D]),
        params: rules_with(view),
    };
    let mut stepper = make(&state);
    say(format!("ready {about}")).map_err(broken)?;
    drop(output);
    answer(&state, &mut stepper, input).map_err(broken)
}

fn answer<const D: usize>(
    state: &State<D>,
    stepper: &mut impl Stepper<D>,
    input: impl std::io::BufRead,
) -> std::io::Result<()> {
    let mut output = stdout().lock();
    for line in input.lines() {
        let line = line?;
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("pairs", _) => writeln!(output, "pairs {}", stepper.pairs())?,
            ("restart", _) => {
                stepper.restart(state);
                writeln!(output, "done")?;
            }
            ("step", count) => {
                write!(output, "times")?;
                for _ in 0..count.parse().unwrap_or(0) {
                    write!(output, " {:.0}", Clock::Cpu.seconds(|| stepper.step()) * 1e9)?;
                }
                writeln!(output)?;
            }
            ("state", _) => {
                let bytes = columns(&stepper.boids());
                writeln!(output, "state {}", bytes.len())?;
                output.write_all(&bytes)?;
            }
            _ => return Ok(()),
        }
        output.flush()?;
    }
    Ok(())
}

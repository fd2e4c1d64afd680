//! The chunk that describes the recorded run.

use std::io;

use wingbeat::steer::Boundary;
use wingbeat_codec::{Cursor, MOST_SPECIES};

use crate::{About, Edges, LengthUnit};

pub(super) fn write(about: &About, out: &mut Vec<u8>) -> io::Result<()> {
    let (boundary, margin, strength) = match about.edges.boundary {
        Boundary::Open => (0u32, 0.0f32, 0.0f32),
        Boundary::Periodic => (1, 0.0, 0.0),
        Boundary::Walled { margin, strength } => (2, margin, strength),
        Boundary::Reflecting => (3, 0.0, 0.0),
        Boundary::Absorbing => (4, 0.0, 0.0),
        other => {
            let refusal =
                format!("domain = {other:?}: allowed is one that this format has a number for");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, refusal));
        }
    };
    out.extend_from_slice(&(about.dimensions as u32).to_le_bytes());
    out.extend_from_slice(&boundary.to_le_bytes());
    out.extend_from_slice(&about.dt.to_le_bytes());
    out.extend_from_slice(&about.every.to_le_bytes());
    out.extend_from_slice(&about.seed.to_le_bytes());
    for value in about.edges.min.into_iter().chain(about.edges.max).chain([margin, strength]) {
        out.extend_from_slice(&value.to_le_bytes());
    }
    about.origin.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
    [&about.name, &about.scene].into_iter().for_each(|text| write_text(text, out));
    if !about.species.is_empty() || about.unit.is_some() {
        out.extend_from_slice(&(about.species.len() as u32).to_le_bytes());
        about.species.iter().for_each(|name| write_text(name, out));
    }
    about.unit.iter().for_each(|unit| write_text(&unit.to_string(), out));
    Ok(())
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Reads the description, or says what is wrong with it. Further bytes are ignored: a later version
/// may append to it.
pub(super) fn read(payload: &[u8]) -> Result<About, String> {
    let mut from = Cursor(payload);
    let about = fields(&mut from)
        .ok_or("its head is cut short, or no head: allowed is what docs/RECORDINGS.md says")?;
    if !matches!(about.dimensions, 2 | 3) {
        return Err(format!("dimensions = {}: allowed is 2 or 3", about.dimensions));
    }
    if !(about.dt.is_finite() && about.dt > 0.0) || about.every == 0 {
        return Err(format!(
            "a step of {} in every {} steps: allowed is above 0",
            about.dt, about.every
        ));
    }
    let corners = about.edges.min.iter().chain(&about.edges.max);
    if !corners.chain([&0.0]).all(|x| x.is_finite()) || !about.origin.iter().all(|x| x.is_finite())
    {
        return Err("a box or an origin that is not finite: allowed is finite".into());
    }
    about.edges.check(about.dimensions).map_err(|refusal| refusal.to_string())?;
    Ok(about)
}

fn fields(from: &mut Cursor<'_>) -> Option<About> {
    let (dimensions, boundary) = (from.u32()? as usize, from.u32()?);
    let (dt, every, seed) = (from.f64()?, from.u64()?, from.u64()?);
    let mut numbers = [0.0; 8];
    for number in &mut numbers {
        *number = from.f32()?;
    }
    let [x0, y0, z0, x1, y1, z1, margin, strength] = numbers;
    let mut origin = [0.0; 3];
    for number in &mut origin {
        *number = from.f64()?;
    }
    let boundary = match boundary {
        0 => Boundary::Open,
        1 => Boundary::Periodic,
        2 => Boundary::Walled { margin, strength },
        3 => Boundary::Reflecting,
        4 => Boundary::Absorbing,
        _ => return None,
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let (name, scene) = (text(from.block()?)?, text(from.block()?)?);
    let edges = Edges { boundary, min: [x0, y0, z0], max: [x1, y1, z1] };
    // Files from before there were species, and those with neither species nor a unit, end here.
    let count = if from.0.is_empty() { 0 } else { from.u32()? as usize };
    if count > MOST_SPECIES {
        return None;
    }
    let species = (0..count).map(|_| text(from.block()?)).collect::<Option<_>>()?;
    let unit = match from.0 {
        [] => None,
        _ => LengthUnit::parse(&text(from.block()?)?),
    };
    Some(About { dimensions, dt, every, seed, name, scene, edges, origin, species, unit })
}

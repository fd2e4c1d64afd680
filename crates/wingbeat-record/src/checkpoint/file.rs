//! Checkpoints as files: whatever serde can write, versioned, compressed, and with a checksum.
//!
//! ```text
//! "WBCKPT\r\n" · u32 version · u32 CRC-32 of all that follows · u64 unpacked bytes ·
//! u32 length of its kind · kind · LZ4 block of MessagePack
//! ```
//!
//! Numbers are little-endian. The kind says what was written ("flock of 2 dimensions"), so that
//! another is refused by name. A line end in the first bytes shows files that were copied as text.

use std::io::{Read, Take, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wingbeat::snapshot::Checkpoint;
use wingbeat_codec::{Unpacked, beyond_memory, checksum, compress};

use super::{AnyCheckpoint, message_pack};
use crate::RecordError;
use crate::regular_file::open_regular;
use crate::whole_file::WholeFile;

const MAGIC: [u8; 8] = *b"WBCKPT\r\n";

/// Raised when a reader of before could not read what is written.
const VERSION: u32 = 3;

/// Bytes before the kind.
const HEAD: usize = 8 + 4 + 4 + 8 + 4;

/// A state, and a flock with it, as the bytes of a checkpoint of this kind.
///
/// # Errors
/// When serde cannot write it.
pub fn seal<T: Serialize>(
    kind: &str,
    state: &T,
    flock: Option<&AnyCheckpoint>,
) -> Result<Vec<u8>, String> {
    // With names, so that what a later version adds can be left out by an earlier one.
    seal_plain(kind, rmp_serde::to_vec_named(state), flock).map_err(|error| error.to_string())
}

/// What [`seal`] was given.
///
/// # Errors
/// In one line, what is wrong with the bytes: no checkpoint, of another version, of another kind,
/// cut short, damaged.
pub fn open<T: DeserializeOwned>(
    kind: &str,
    bytes: &[u8],
) -> Result<(T, Option<AnyCheckpoint>), String> {
    let mut plain = unsealed(kind, bytes)?;
    let state = message_pack::read(&mut plain).map_err(|error| other_state(kind, &error))?;
    Ok((state, flock_and_end(kind, plain)?))
}

type Written = Result<Vec<u8>, rmp_serde::encode::Error>;

/// [`seal`] from where the state's type no longer matters: what a flock is written with is
/// compiled here, and not in each crate that has a state of its own.
#[inline(never)]
fn seal_plain(kind: &str, state: Written, flock: Option<&AnyCheckpoint>) -> Written {
    let mut plain = state?;
    rmp_serde::encode::write_named(&mut plain, &flock)?;
    let mut bytes = Vec::with_capacity(HEAD + kind.len() + plain.len() / 2);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend((plain.len() as u64).to_le_bytes());
    bytes.extend((kind.len() as u32).to_le_bytes());
    bytes.extend(kind.as_bytes());
    bytes.extend(compress(&plain));
    let sum = checksum(&[&bytes[16..]]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// What a checkpoint of this kind holds. It is read as it is unpacked, so that memory holds what
/// the state holds, and not what a hostile one is packed from.
#[inline(never)]
fn unsealed<'a>(kind: &str, bytes: &'a [u8]) -> Result<Take<Unpacked<'a>>, String> {
    let number = |at: usize| {
        bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let (Some(version), Some(sum), Some(length), Some(low), Some(high)) =
        (number(8), number(12), number(24), number(16), number(20))
    else {
        return Err(if MAGIC.starts_with(&bytes[..bytes.len().min(8)]) {
            cut_short()
        } else {
            no_checkpoint()
        });
    };
    if bytes[..8] != MAGIC {
        return Err(no_checkpoint());
    }
    if version != VERSION {
        let other = if version > VERSION { "a later" } else { "an earlier" };
        return Err(format!(
            "version {version} of the format: allowed is {VERSION} ({other} wingbeat wrote it, and \
            can resume it)"
        ));
    }
    if checksum(&[&bytes[16..]]) != sum {
        return Err(cut_short());
    }
    let (written, packed) =
        bytes[HEAD..].split_at_checked(length as usize).ok_or_else(cut_short)?;
    if written != kind.as_bytes() {
        let written = String::from_utf8_lossy(written);
        return Err(format!(
            "a checkpoint of another kind ({written}): allowed is one of a {kind}"
        ));
    }
    let size = u64::from(high) << 32 | u64::from(low);
    // What is kept is about as large, and comes by way of a buffer.
    if let Some(allowed) = beyond_memory(2 * u128::from(size)) {
        return Err(format!("{size} bytes unpacked: allowed is {allowed}"));
    }
    Ok(Unpacked::new(packed).take(size))
}

/// The flock that follows the state, after which there is nothing.
#[inline(never)]
fn flock_and_end(
    kind: &str,
    mut plain: Take<Unpacked<'_>>,
) -> Result<Option<AnyCheckpoint>, String> {
    let flock = message_pack::read(&mut plain).map_err(|error| other_state(kind, &error))?;
    if plain.limit() > 0 || plain.into_inner().read(&mut [0]).map_or(true, |more| more > 0) {
        return Err(cut_short());
    }
    Ok(flock)
}

fn other_state(kind: &str, error: &message_pack::Error) -> String {
    format!("not what a {kind} is written as ({error})")
}

fn no_checkpoint() -> String {
    "not a checkpoint: allowed is what wingbeat run --checkpoint writes".into()
}

fn cut_short() -> String {
    "damaged or cut short: allowed is a whole checkpoint".into()
}

fn kind_of(dimensions: usize) -> String {
    format!("flock of {dimensions} dimensions")
}

/// Writes a flock's checkpoint to a file, whole or not at all; tells how many bytes it has. In
/// place of a file that is there.
///
/// ```
/// use wingbeat::{Flock2, TimeStep, observe};
/// use wingbeat_record::checkpoint;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("walk.wbc");
/// let mut flock = Flock2::builder().boids(&[[1.0, 2.0], [4.0, 2.0]], &[[1.0, 0.0]; 2]).build()?;
/// flock.step(TimeStep::new(0.5)?);
/// checkpoint::save(&path, &flock.checkpoint())?;
///
/// let mut other = Flock2::builder().build()?;
/// other.restore(&checkpoint::load(&path)?)?;
/// assert_eq!(observe::state_hash(&other.frame()), observe::state_hash(&flock.frame()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be written.
#[inline(never)]
pub fn save<const D: usize>(path: &Path, checkpoint: &Checkpoint<D>) -> Result<u64, RecordError>
where
    Checkpoint<D>: Serialize,
{
    let failed = |error: std::io::Error| RecordError::cannot_write(path, &error);
    let bytes =
        seal(&kind_of(D), checkpoint, None).map_err(|why| failed(std::io::Error::other(why)))?;
    let mut file = WholeFile::create(path).map_err(failed)?;
    file.write_all(&bytes).and_then(|()| file.finish()).map_err(failed)
}

/// Reads what [`save`] wrote.
///
/// # Errors
/// When it cannot be read, or is no whole checkpoint of a flock of as many dimensions.
#[inline(never)]
pub fn load<const D: usize>(path: &Path) -> Result<Checkpoint<D>, RecordError>
where
    Checkpoint<D>: DeserializeOwned,
{
    read(path, &kind_of(D)).map(|(checkpoint, _)| checkpoint)
}

/// Gives a checkpoint its boids, where those are in files beside it: a checkpoint each, of one
/// flock in parts.
///
/// # Errors
/// When one cannot be read, lies in another folder, or is not of the same flock.
pub fn read_parts(
    whole: &mut AnyCheckpoint,
    beside: &Path,
    names: &[String],
) -> Result<(), RecordError> {
    for name in names {
        let is_beside =
            Path::new(name).file_name().is_some_and(|file| file == std::ffi::OsStr::new(name));
        if !is_beside {
            let message = format!(
                "names {} as a part: allowed is a file in the same folder",
                name.escape_debug()
            );
            return Err(RecordError::data(beside.display(), message));
        }
        let path = beside.with_file_name(name);
        let refused = |why: String| RecordError::data(path.display(), why);
        match whole {
            AnyCheckpoint::Two(whole) => {
                whole.add(load(&path)?).map_err(|error| refused(error.to_string()))?
            }
            AnyCheckpoint::Three(whole) => {
                whole.add(load(&path)?).map_err(|error| refused(error.to_string()))?
            }
        }
    }
    match whole {
        AnyCheckpoint::Two(whole) => whole.put_in_order(),
        AnyCheckpoint::Three(whole) => whole.put_in_order(),
    }
    Ok(())
}

/// Room for a whole file, if memory holds it: any file may be taken for a checkpoint.
fn room_for(size: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    match beyond_memory(u128::from(size)) {
        Some(allowed) => Err(allowed),
        None => match usize::try_from(size).map(|size| bytes.try_reserve_exact(size)) {
            Ok(Ok(())) => Ok(bytes),
            _ => Err("what the free memory holds".into()),
        },
    }
}

/// Reads what [`seal`] made of a state of this kind from a file.
///
/// # Errors
/// As [`load`].
pub fn read<T: DeserializeOwned>(
    path: &Path,
    kind: &str,
) -> Result<(T, Option<AnyCheckpoint>), RecordError> {
    let shown = path.display().to_string();
    open(kind, &bytes_of(path)?).map_err(|why| RecordError::data(shown, why))
}

#[inline(never)]
fn bytes_of(path: &Path) -> Result<Vec<u8>, RecordError> {
    let shown = path.display().to_string();
    let cannot_read = |error| RecordError::File {
        path: shown.clone(),
        message: format!("cannot read the checkpoint: {}", crate::io_reason(&error)),
    };
    let (mut file, size) = open_regular(path).map_err(cannot_read)?;
    let mut bytes = room_for(size).map_err(|allowed| {
        RecordError::data(&shown, format!("{size} bytes: allowed is {allowed}"))
    })?;
    file.read_to_end(&mut bytes).map_err(cannot_read)?;
    Ok(bytes)
}

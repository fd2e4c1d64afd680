//! The replay page: which frames it holds, and all of its parts in their order.

use serde_json::{Value, json};
use wingbeat_record::{Frames, RecordError, Snapshot, Watch};
use wingbeat_session::frame_of;

use crate::encode::Encoder;
use crate::levels::{Levels, Precision};
use crate::scene::{scene_of, title};
use crate::start::start_element;
use crate::survey::Survey;
use crate::{assets, scene_json};

/// Bytes in a megabyte.
pub const MEGABYTE: u64 = 1_000_000;

/// Bytes of page for one boid in one frame, in the plane and in space, fine and coarse, where boids
/// turn a good deal from frame to frame. Measured on `shoal` and `murmuration` as `run` writes
/// them; a page that comes out larger is thinned and written again.
const BYTES_PER_BOID: [[f64; 2]; 2] = [[6.5, 3.6], [12.0, 7.8]];

/// A film of fewer frames looks jerky: then fewer digits are stored so that more frames fit.
const SMOOTH_FRAMES: u64 = 100;

/// Options of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageOptions {
    /// Take every `every`-th frame, or fewer where the page would be too large. Default 1.
    pub every: u64,
    /// Bytes the page may have. Default 25 MB: what browsers open at once, and mail takes.
    pub limit: u64,
    /// Lines around the flock that the player shows beside those of the scene, in the recording's
    /// lengths. Default none.
    pub outline: Vec<[[f32; 3]; 2]>,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self { every: 1, limit: 25 * MEGABYTE, outline: Vec::new() }
    }
}

/// A page, and what is in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// The whole file.
    pub html: Vec<u8>,
    /// Frames it holds.
    pub frames: usize,
    /// It holds every `every`-th frame of the recording.
    pub every: u64,
    /// The most boids in one frame.
    pub boids: usize,
    /// How far a coordinate may be off.
    pub position_error: f64,
    /// How far a velocity's component may be off.
    pub velocity_error: f64,
}

/// How many of `wanted` frames of so many boids fit a page of `limit` bytes, by estimate; at least
/// 2 if so many are wanted.
///
/// ```
/// use wingbeat_page::{MEGABYTE, frames_that_fit};
/// assert!((20..60).contains(&frames_that_fit(100_000, 3, 500, 25 * MEGABYTE)));
/// assert_eq!(frames_that_fit(100, 2, 500, 25 * MEGABYTE), 500);
/// ```
pub fn frames_that_fit(boids: usize, dimensions: usize, wanted: u64, limit: u64) -> u64 {
    frames_and_precision(
        boids,
        dimensions,
        wanted,
        limit.saturating_sub(player_bytes(Some(dimensions))),
    )
    .0
}

/// Bytes of a page without a recording in it.
fn player_bytes(engine: Option<usize>) -> u64 {
    let parts = assets::player("", "", "'none'", engine);
    (parts.before.len() + parts.after.len()) as u64
}

/// How many frames fit into so many bytes beside the player, and with how many digits.
fn frames_and_precision(
    boids: usize,
    dimensions: usize,
    wanted: u64,
    room: u64,
) -> (u64, Precision) {
    let bytes =
        BYTES_PER_BOID[usize::from(dimensions > 2)].map(|bytes| bytes * boids.max(1) as f64);
    let [fine, coarse] = bytes.map(|bytes| ((room as f64 / bytes) as u64).max(2).min(wanted));
    if fine < wanted.min(SMOOTH_FRAMES) {
        (coarse, Precision::Coarse)
    } else {
        (fine, Precision::Fine)
    }
}

/// Makes the page of a recording: as many of its frames as fit, evenly apart. Held in memory are
/// the page and a frame or two.
///
/// # Errors
/// When the recording cannot be read or has no frame, an id does not fit 32 bits, or not even two
/// frames (or all there are) fit.
pub fn replay(footage: &mut Frames, options: &PageOptions) -> Result<Page, RecordError> {
    replay_watched(footage, options, &|_, _| true)
}

/// [`replay`], watched: `watch` is told how many frames of how many are done, first as they are
/// looked at, then as they are encoded, perhaps more than once; it answers whether to go on.
///
/// # Errors
/// As [`replay`]; and [`RecordError::Stopped`] where `watch` says so.
pub fn replay_watched(
    footage: &mut Frames,
    options: &PageOptions,
    watch: Watch<'_>,
) -> Result<Page, RecordError> {
    if footage.is_empty() {
        let message = "the recording has no whole frame: allowed is at least one".into();
        return Err(RecordError::Data { place: footage.about().name.clone(), message });
    }
    let every = usize::try_from(options.every.max(1)).unwrap_or(usize::MAX).min(footage.len());
    let survey = Survey::of(footage, every, watch)?;
    let frames = (footage.len() - 1) / every + 1;
    let mean_boids = (survey.boid_frames as usize).div_ceil(frames);
    let dimensions = footage.about().dimensions;
    let scene = with_outline(scene_shown(footage)?, &options.outline);
    let room = options.limit.saturating_sub(player_bytes(engine_for(&scene, dimensions)));
    let (fit, precision) = frames_and_precision(mean_boids, dimensions, frames as u64, room);
    // Frames close to each other take half the bytes of the estimate: only an attempt shows whether
    // they fit.
    let mut stride = frames.div_ceil(usize::try_from(fit.saturating_mul(2)).unwrap_or(usize::MAX));
    loop {
        match attempt(footage, (&scene, &survey), precision, every * stride, options.limit, watch)?
        {
            Attempt::Fits(page) => return Ok(page),
            Attempt::TooLarge(bytes) => {
                let last = frames - 1;
                if stride >= last.max(1) {
                    let allowed = format!("at least {}", bytes.div_ceil(MEGABYTE) + 1);
                    let value = (options.limit as f64 / MEGABYTE as f64).to_string();
                    return Err(RecordError::Option { name: "size", value, allowed });
                }
                let wanted = (stride as f64 * bytes as f64 / options.limit as f64).ceil() as usize;
                stride = wanted.max(stride + 1).min(last);
            }
        }
    }
}

enum Attempt {
    Fits(Page),
    /// Bytes it has, or is expected to have.
    TooLarge(u64),
}

/// The scene for the player; without what its engine needs where the recording begins later than
/// the run.
fn scene_shown(footage: &mut Frames) -> Result<Value, RecordError> {
    let mut first = Snapshot::new(footage.about().dimensions);
    footage.read(0, &mut first)?;
    let mut scene = scene_json(footage.about());
    if first.step != 0 && scene["toml"].is_string() {
        (scene["toml"], scene["unexplained"]) =
            (Value::Null, "The recording does not begin with the run it is of.".into());
    }
    Ok(scene)
}

/// The scene with one more of its places, which has no name.
fn with_outline(mut scene: Value, outline: &[[[f32; 3]; 2]]) -> Value {
    if !outline.is_empty()
        && let Some(places) = scene["places"].as_array_mut()
    {
        places.push(json!({
            "kind": "outline", "name": "", "lines": outline.as_flattened().as_flattened()
        }));
    }
    scene
}

/// For how many dimensions the page carries the engine: it does where it has a scene to run.
fn engine_for(scene: &Value, dimensions: usize) -> Option<usize> {
    scene["toml"].is_string().then_some(dimensions)
}

fn attempt(
    footage: &mut Frames,
    (scene, survey): (&Value, &Survey),
    precision: Precision,
    every: usize,
    limit: u64,
    watch: Watch<'_>,
) -> Result<Attempt, RecordError> {
    let about = footage.about().clone();
    let levels = Levels::new(&about, survey, precision);
    let title = match &*title(&about) {
        "" => "a flock".to_string(),
        title => title.to_string(),
    };
    let engine = engine_for(scene, about.dimensions);
    let parts = assets::player(
        &format!("{title} · Wingbeat"),
        "Wingbeat.playRecording(document);",
        "'none'",
        engine,
    );
    let mut html = parts.before.into_bytes();
    let start = html.len();
    let wanted = (footage.len() - 1) / every + 1;
    let mut encoder = Encoder::new(levels.clone());
    let (mut times, mut steps) = (Vec::new(), Vec::new());
    let mut now = Snapshot::new(about.dimensions);
    let failed = |error: std::io::Error| RecordError::Write {
        path: "the page".into(),
        message: error.to_string(),
    };
    for k in (0..footage.len()).step_by(every) {
        if !watch(k as u64, footage.len() as u64) {
            return Err(RecordError::Stopped);
        }
        footage.read(k, &mut now)?;
        check_ids(&now)?;
        if k == 0
            && engine.is_some()
            && scene_of(&about).is_some_and(|scene| scene.initial_file().is_some())
        {
            html.extend_from_slice(start_element(&frame_of(&now)).as_bytes());
        }
        times.push(now.time);
        steps.push(now.step);
        if let Some(group) = encoder.frame(&now).map_err(failed)? {
            push_group(&mut html, encoder.groups.len() - 1, &group);
            let share = times.len() as f64 / wanted as f64;
            let expected = (start + parts.after.len()) as f64 + (html.len() - start) as f64 / share;
            // Already a third over the limit by estimate: encoding the rest would be wasted.
            if expected > limit as f64 * 1.33 || html.len() as u64 > limit {
                return Ok(Attempt::TooLarge(expected as u64));
            }
        }
    }
    if let Some(group) = encoder.finish().map_err(failed)? {
        push_group(&mut html, encoder.groups.len() - 1, &group);
    }
    let index = json!({
        "version": 1,
        "dimensions": about.dimensions,
        "boids": survey.boids,
        "bounds": {
            "min": &survey.min[..about.dimensions], "max": &survey.max[..about.dimensions]
        },
        "levels": levels,
        "speeds": survey.speed_range(),
        "groups": encoder.groups,
        "times": times,
        "steps": steps,
        "observables": survey.observables,
        "species": { "names": about.species, "runs": survey.species_runs() },
        "unit": about.unit.map(|unit| unit.to_string()),
        "time_unit": footage.time_unit().map(|unit| unit.to_string()),
        "scene": scene,
        "notes": footage.notes(),
    });
    html.extend_from_slice(assets::json_element("recording", &index).as_bytes());
    html.extend_from_slice(parts.after.as_bytes());
    let bytes = html.len() as u64;
    if bytes > limit {
        return Ok(Attempt::TooLarge(bytes));
    }
    let Levels { position_error, velocity_error, .. } = levels;
    let page = Page {
        html,
        frames: times.len(),
        every: every as u64,
        boids: survey.boids,
        position_error,
        velocity_error,
    };
    Ok(Attempt::Fits(page))
}

/// Pages hold ids in 32 bits.
fn check_ids(now: &Snapshot) -> Result<(), RecordError> {
    let Some(id) = now.ids.last().filter(|&&id| id > u64::from(u32::MAX)) else { return Ok(()) };
    let place = format!("frame {}", now.step);
    let message = format!("id {id}: allowed in a page is 0 to {}", u32::MAX);
    Err(RecordError::Data { place, message })
}

fn push_group(html: &mut Vec<u8>, number: usize, group: &str) {
    html.extend_from_slice(
        format!("<script type=\"text/plain\" id=\"group-{number}\">").as_bytes(),
    );
    html.extend_from_slice(group.as_bytes());
    html.extend_from_slice(b"</script>\n");
}

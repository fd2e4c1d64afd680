//! `wingbeat render`: pictures and films of recordings and scenes.
//!
//! [`source`] has the frames, [`target`] takes the pictures, `wingbeat-render` draws them.

mod args;
mod backdrop;
mod source;
mod target;

use std::time::{Duration, Instant};

use wingbeat_record::{Snapshot, beyond_memory};
use wingbeat_render::{
    Background, Boids, Bounds, Camera, Color, Extent, Fit, Painter, Style, mp4, size_for,
};
use wingbeat_scene::{Machine, Segment};

use crate::failure::Failure;
use crate::files::Files;
use crate::options::every;
use crate::output::Output;
use crate::report::{grouped, size_text};
use crate::species::{self, Told};
use crate::values::{OneOf, given};
use crate::{interrupt, progress, still, terminal};

pub use args::RenderArgs;
use args::{Angles, FrameRange, Pixels, Trails};
use backdrop::Backdrops;
use source::FrameSource;
use target::{OutputKind, PictureTarget};

/// Largest sizes that are chosen when none is given: what a screen shows, and what loads as part of
/// a page.
const SCREEN: [u32; 2] = [1920, 1080];
const PAGE: [u32; 2] = [960, 540];

/// What is asked for, refused before the first step if it cannot be.
struct RenderPlan<'a> {
    args: &'a RenderArgs,
    output: Output,
    kind: OutputKind,
    every: u64,
    /// First and last frame.
    range: Option<[u64; 2]>,
    rate: f64,
    size: Option<[u32; 2]>,
    style: Style,
    camera: Camera,
    /// What colors are to say, where that was asked for.
    chosen: Option<Color>,
    /// Species that a file tells, in place of the flock's own.
    told: Option<Told>,
    /// Pictures behind, and outlines around.
    backdrops: Option<Backdrops>,
    outline: Vec<Segment>,
}

/// Draws what is asked for.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    let mut files = Files::default();
    let mut plan = RenderPlan::new(args, &mut files)?;
    let machine = Machine { threads: args.threads.count(), ..Machine::default() };
    if plan.kind == OutputKind::Mp4 {
        mp4::check()?;
    }
    interrupt::listen()?;
    let threads = machine.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::Other(format!("no threads to draw with: {error}")))?;
    let mut source = FrameSource::open(args, &machine, &mut files)?;
    if source.dimensions() == 2
        && let Some((flag, value)) = [
            ("--camera", args.camera.as_ref().map(|angles| &angles.text)),
            ("--turn", args.turn.as_ref().map(|degrees| &degrees.text)),
        ]
        .into_iter()
        .find_map(|(flag, text)| Some((flag, text?)))
    {
        return Err(Failure::value(
            flag,
            value,
            "nothing in the plane, which is seen from above; --zoom works there too",
        ));
    }
    args.outline.check(source.dimensions())?;
    plan.backdrops.iter_mut().try_for_each(|backdrops| backdrops.settle(&source))?;
    let range = plan.frames(&source)?;
    plan.settle_color(source.species())?;
    let words = source.words();
    (plan.style.unit, plan.style.time_unit, plan.style.noun) =
        (words.unit, words.time_unit, words.noun);
    let drawn = plan.draw(&mut source, range, &pool)?;
    terminal::say(&drawn)
}

impl<'a> RenderPlan<'a> {
    fn new(args: &'a RenderArgs, files: &mut Files) -> Result<Self, Failure> {
        let range = given(&args.frame).map(|FrameRange(range)| range);
        let is_sequence = args.every.is_some() || range.is_some_and(|[first, last]| first != last);
        let (output, kind) = match (&args.png, &args.gif, &args.mp4) {
            (Some(path), ..) => (
                files.write("--png", path, &["png"])?,
                if is_sequence { OutputKind::Sequence } else { OutputKind::Png },
            ),
            (_, Some(path), _) => (files.write("--gif", path, &["gif"])?, OutputKind::Gif),
            (_, _, Some(path)) => (files.write("--mp4", path, &["mp4"])?, OutputKind::Mp4),
            _ => {
                return Err(Failure::BadInput(
                    "render: nothing to write: allowed is --png, --gif or --mp4".into(),
                ));
            }
        };
        let most_rate = if kind == OutputKind::Gif { 50.0 } else { 1000.0 };
        let rate = given(&args.rate).unwrap_or(25.0);
        if !(0.1..=most_rate).contains(&rate) {
            return Err(Failure::value(
                "--rate",
                &rate.to_string(),
                &format!("0.1 to {most_rate} pictures a second"),
            ));
        }
        if let Some(rate) =
            args.rate.as_ref().filter(|_| matches!(kind, OutputKind::Png | OutputKind::Sequence))
        {
            return Err(Failure::value("--rate", &rate.text, "nothing without --gif or --mp4"));
        }
        let chosen = given(&args.color).map(|OneOf(color)| color);
        if let (Some(file), Some(Color::Heading | Color::Speed)) = (&args.species, chosen) {
            return Err(Failure::value(
                "--species",
                file,
                "nothing with another --color than species",
            ));
        }
        args.species.iter().try_for_each(|file| files.read(file))?;
        let told = args.species.as_deref().map(Told::read).transpose()?;
        let (background, backdrops) = backdrop::background(args, files)?;
        let outline = args.outline.lines(files)?;
        let style = Style {
            color: Color::default(),
            background: background.unwrap_or_default(),
            trails: given(&args.trails).map_or(0, |Trails(frames)| frames),
            length: given(&args.length).map(|length| length as f32),
            speeds: None,
            flat: kind == OutputKind::Gif,
            labels: !args.plain,
            // The rest is of the flock, which is not there yet: see render, settle_color, painter.
            ..Style::default()
        };
        let usual = Camera::default();
        let [azimuth, elevation] =
            given(&args.camera).map_or([usual.azimuth, usual.elevation], |Angles(angles)| angles);
        let camera = Camera {
            azimuth,
            elevation,
            fit: given(&args.fit).map_or(Fit::Domain, |OneOf(fit)| fit),
            zoom: given(&args.zoom).unwrap_or(usual.zoom),
            turn: given(&args.turn).unwrap_or(usual.turn),
            ..usual
        };
        let size = given(&args.size).map(|Pixels(size)| size);
        // Whatever is refused is refused before the first step.
        Painter::check(size.unwrap_or(PAGE), &style, &camera)?;
        if let (Some(asked), Some([wide, high])) = (&args.size, size)
            && let Some(allowed) =
                beyond_memory(u128::from(wide) * u128::from(high) * kind.bytes_a_pixel())
        {
            return Err(Failure::value(
                "--size",
                &asked.text,
                &format!("{allowed}, at {} bytes a pixel", kind.bytes_a_pixel()),
            ));
        }
        Ok(Self {
            args,
            output,
            kind,
            every: every(&args.every),
            range,
            rate,
            size,
            style,
            camera,
            chosen,
            told,
            backdrops,
            outline,
        })
    }

    /// Decides what colors say, now that the flock's own species are known.
    fn settle_color(&mut self, own: Vec<String>) -> Result<(), Failure> {
        let (names, usual) = match &self.told {
            Some(told) => (told.names().to_vec(), Color::Species),
            None => {
                let usual = species::usual_color(&own);
                (own, usual)
            }
        };
        self.style.color = self.chosen.unwrap_or(usual);
        if self.style.color == Color::Species {
            if self.told.is_none() {
                species::check(&names)?;
            }
            self.style.species = species::legend(&names);
        }
        Ok(())
    }

    /// Which frames are drawn, first and last.
    fn frames(&self, source: &FrameSource) -> Result<[u64; 2], Failure> {
        let last = source.len() - 1;
        match self.range {
            Some([_, to]) if to > last => {
                let text = self.args.frame.as_ref().map_or("", |range| &range.text);
                Err(Failure::value(
                    "--frame",
                    text,
                    &format!("0 to {last}, the last of {} {}", self.args.input, source.counts()),
                ))
            }
            Some(range) => Ok(range),
            None if self.kind == OutputKind::Png => Ok([last, last]),
            None => Ok([0, last]),
        }
    }

    fn draw(
        &mut self,
        source: &mut FrameSource,
        [first, last]: [u64; 2],
        pool: &rayon::ThreadPool,
    ) -> Result<String, Failure> {
        let mut target = PictureTarget::new(self.output.clone(), self.kind, self.rate);
        let mut painter: Option<Painter> = None;
        let mut now = Snapshot::new(source.dimensions());
        let (mut drawing, mut writing) = (Vec::new(), Vec::new());
        let bar = progress::counted(last + 1, source.counts());
        let trails = self.style.trails as u64;
        for k in first.saturating_sub(trails)..=last {
            let to_next = if k < first {
                first - k
            } else {
                (self.every - (k - first) % self.every) % self.every
            };
            if to_next > trails || k + to_next > last {
                continue;
            }
            if !source.read(k, &mut now, &bar)? || interrupt::requested() {
                bar.finish_and_clear();
                return Err(self.stopped(target.pictures));
            }
            if let Some(told) = &self.told {
                told.give(&mut now)?;
            }
            let boids = still::boids(&now)?;
            let behind = self
                .backdrops
                .as_mut()
                .map(|backdrops| backdrops.next(k, now.step))
                .transpose()?
                .flatten();
            if let Some((_, image)) = behind.as_ref().filter(|_| painter.is_none()) {
                // What is written over it, and the sky beside it, are to go with it.
                self.style.background =
                    if image.lightness() > 0.5 { Background::Light } else { Background::Dark };
            }
            let painter = match &mut painter {
                Some(painter) => painter,
                None => painter.insert(self.painter(source, &boids)?),
            };
            if let Some((backdrop, _)) = behind {
                painter.set_backdrop(Some(backdrop));
            }
            if to_next > 0 {
                painter.remember(&boids);
                continue;
            }
            let lines = source.lines(now.time);
            painter.set_lines(lines.into_iter().chain(self.outline.iter().copied()).collect());
            let begun = Instant::now();
            pool.install(|| painter.draw(&boids));
            let drawn = Instant::now();
            target.take(painter)?;
            drawing.push(drawn - begun);
            writing.push(drawn.elapsed());
        }
        bar.finish_and_clear();
        let pictures = target.pictures;
        let bytes = target.finish()?;
        let [wide, high] = painter
            .as_ref()
            .map_or([0; 2], |painter| [painter.image().width(), painter.image().height()]);
        let name = match self.kind {
            OutputKind::Sequence => format!("{} and on", self.output.numbered(0).path().display()),
            _ => self.output.path().display().to_string(),
        };
        let count = if pictures == 1 {
            "1 picture".to_string()
        } else {
            format!("{} pictures", grouped(pictures as u64))
        };
        let (drawn, written) = (median(&mut drawing), median(&mut writing));
        Ok(format!(
            "{name}: {count} of {wide}x{high}, {}; drawn in {drawn:.1} ms, written in {written:.1} \
                ms each\n",
            size_text(bytes)
        ))
    }

    fn painter(&self, source: &FrameSource, boids: &Boids<'_>) -> Result<Painter, Failure> {
        let bounds = source.bounds();
        let most = if self.kind == OutputKind::Gif { PAGE } else { SCREEN };
        let area = self.area(boids);
        let corner = |corner: [f64; 3]| corner.map(|x| x as f32);
        let around = area.map(|area| Bounds {
            min: corner(area.low),
            max: corner(area.high),
            periodic: false,
        });
        let size = self
            .size
            .unwrap_or_else(|| size_for(boids, bounds.or(around).as_ref(), self.camera.fit, most));
        // A length that is given is that of arrowheads.
        let radii = if self.style.length.is_none() { source.radii() } else { Vec::new() };
        let style = Style { radii, ..self.style.clone() };
        let mut painter = Painter::new(size, style, self.camera, bounds)?;
        painter.set_area(area);
        painter.set_exits(source.exits());
        Ok(painter)
    }

    /// What is shown where space is open: the picture behind, else the outlines and the flock.
    fn area(&self, boids: &Boids<'_>) -> Option<Extent> {
        if let Some(extent) = self.backdrops.as_ref().and_then(Backdrops::extent) {
            return Some(extent);
        }
        let points = self.outline.as_flattened();
        if points.is_empty() {
            return None;
        }
        let mut area = Extent::around(boids);
        for a in 0..2 {
            let [low, high] =
                points.iter().fold([area.low[a], area.high[a]], |[low, high], point| {
                    [low.min(f64::from(point[a])), high.max(f64::from(point[a]))]
                });
            let air = (high - low) * 0.02;
            (area.low[a], area.high[a]) = (low - air, high + air);
        }
        Some(area)
    }

    fn stopped(&self, pictures: usize) -> Failure {
        let what = match self.kind {
            OutputKind::Sequence => format!("{pictures} pictures are written"),
            _ => "nothing is written".into(),
        };
        Failure::Stopped(format!("stopped; {what}"))
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

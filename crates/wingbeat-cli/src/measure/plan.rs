//! The floor plan that a map of density is drawn over.

use wingbeat_measure::DensityMap;
use wingbeat_record::Recording;
use wingbeat_render::plot::{FloorPlan, PlanExit};
use wingbeat_scene::{Layout, Scene, Segment};

use super::args::MeasureArgs;
use crate::failure::Failure;
use crate::files::Files;

/// What the legend calls floor on which there never was an individual.
const UNVISITED: &str = "unvisited";

/// Lines of the plane.
type Lines = Vec<[[f64; 2]; 2]>;

/// Walls, obstacles and exits, and what is floor between them.
pub struct MapPlan {
    plan: FloorPlan,
    /// What an odd number of these lines goes round is floor; `None`: floor is everywhere.
    floor: Option<Lines>,
    /// The scene that the recording was made from, and what its coordinates are multiplied by.
    layout: Option<(Layout, [f64; 2])>,
}

/// The lines of `--outline`; refused without a map to draw them on.
pub fn outline(args: &MeasureArgs, files: &mut Files) -> Result<Vec<Segment>, Failure> {
    match args.outline.outline.first().filter(|_| args.map.is_none()) {
        Some(text) => {
            Err(Failure::value("--outline", text, "nothing without --map, on which it is drawn"))
        }
        None => args.outline.lines(files),
    }
}

impl MapPlan {
    /// The outline that was given, else the plan of the scene that the recording holds, if it holds
    /// one that has walls, obstacles or exits.
    pub fn of(recording: &Recording, outline: Vec<Segment>, y_down: bool) -> Option<Self> {
        if !outline.is_empty() {
            let walls = lines(&outline, [1.0; 2]);
            let floor = Some(walls.clone());
            return Some(Self { plan: FloorPlan { walls, ..named() }, floor, layout: None });
        }
        let about = recording.about()?;
        // A scene of another version may not be readable: then the map is drawn without it.
        let scene = Scene::parse(&about.name, &about.scene, &[]).ok()?;
        let layout = Layout::of(&scene, &about.edges).ok().flatten()?;
        let scale = recording.found().scale;
        let factors = [scale, if y_down { -scale } else { scale }];
        let scaled = |point: &[f32; 2]| [0, 1].map(|a| f64::from(point[a]) * factors[a]);
        let solids = layout.solids.iter();
        let exits = layout
            .exits
            .iter()
            .map(|exit| PlanExit { name: exit.name.clone(), lines: lines(&exit.lines, factors) });
        let plan = FloorPlan {
            walls: lines(&layout.walls, factors),
            obstacles: solids.map(|corners| corners.iter().map(scaled).collect()).collect(),
            exits: exits.collect(),
            ..named()
        };
        let floor = layout.floor.as_ref().map(|rings| lines(rings, factors));
        Some(Self { plan, floor, layout: Some((layout, factors)) })
    }

    /// Lowest and highest corner of the box around it.
    pub fn extent(&self) -> [[f64; 2]; 2] {
        let exits = self.plan.exits.iter().flat_map(|exit| &exit.lines);
        let points = self.plan.walls.iter().chain(exits).flatten();
        points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], point| {
            [[0, 1].map(|a| low[a].min(point[a])), [0, 1].map(|a| high[a].max(point[a]))]
        })
    }

    /// The plan, and where its floor is, square by square.
    pub fn over(self, map: &DensityMap) -> FloorPlan {
        let (low, side) = (map.area().corners()[0], map.side());
        let middle = |a: usize, i: usize| low[a] + side * (i as f64 + 0.5);
        let [columns, rows] = [map.columns(), map.rows()];
        let mut walkable = match &self.floor {
            Some(lines) => inside(lines, (low, side), [columns, rows]),
            None => vec![true; columns * rows],
        };
        if let Some((layout, factors)) = &self.layout {
            for (i, walkable) in walkable.iter_mut().enumerate().filter(|(_, on)| **on) {
                let place = [middle(0, i % columns), middle(1, i / columns)];
                *walkable = !layout.is_blocked([0, 1].map(|a| (place[a] / factors[a]) as f32));
            }
        }
        FloorPlan { walkable, ..self.plan }
    }
}

fn named() -> FloorPlan {
    FloorPlan { walkable_label: UNVISITED.into(), ..FloorPlan::default() }
}

fn lines(segments: &[Segment], factors: [f64; 2]) -> Lines {
    let point = |point: [f32; 3]| [0, 1].map(|a| f64::from(point[a]) * factors[a]);
    segments.iter().map(|ends| ends.map(point)).collect()
}

/// Whether rings, given as lines, go round the middle of each square an odd number of times, row by
/// row: a ray from it meets an odd number of lines.
fn inside(lines: &Lines, (low, side): ([f64; 2], f64), [columns, rows]: [usize; 2]) -> Vec<bool> {
    // In squares from the middle of the first; a cast cuts what is below zero.
    let from_middle = |x: f64, a: usize| (x - low[a]) / side - 0.5;
    let above = |x: f64, count: usize| (x.ceil() as usize).min(count);
    let mut crossed: Vec<Vec<f64>> = vec![Vec::new(); rows];
    for ends in lines {
        let [mut a, mut b] = ends.map(|point| [0, 1].map(|axis| from_middle(point[axis], axis)));
        if a[1] > b[1] {
            (a, b) = (b, a);
        }
        // Half open, so that a corner counts for one of its edges.
        let met = above(a[1], rows)..above(b[1], rows);
        for (row, crossed) in met.clone().zip(&mut crossed[met]) {
            crossed.push(a[0] + (b[0] - a[0]) * ((row as f64 - a[1]) / (b[1] - a[1])));
        }
    }
    let mut found = vec![false; columns * rows];
    for (row, mut crossed) in found.chunks_mut(columns).zip(crossed) {
        crossed.sort_by(f64::total_cmp);
        for pair in crossed.chunks_exact(2) {
            row[above(pair[0], columns)..above(pair[1], columns)].fill(true);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_in_rings_are_holes() {
        let ring = |low: f64, high: f64| {
            let corners = [[low, low], [high, low], [high, high], [low, high], [low, low]];
            (0..4).map(move |i| [corners[i], corners[i + 1]])
        };
        let lines: Lines = ring(1.0, 6.0).chain(ring(2.0, 5.0)).chain(ring(3.0, 4.0)).collect();
        let found = inside(&lines, ([0.0; 2], 1.0), [8, 7]);
        let row = |k: usize| {
            found[8 * k..8 * (k + 1)]
                .iter()
                .map(|&on| if on { '#' } else { '.' })
                .collect::<String>()
        };
        let rows: Vec<String> = (0..7).map(row).collect();
        let (none, edge, hole, core) = ("........", ".#####..", ".#...#..", ".#.#.#..");
        assert_eq!(rows, [none, edge, hole, core, hole, edge, none]);
        // What lies all around is floor, and what lies elsewhere is none.
        let around: Lines = ring(-10.0, 20.0).collect();
        assert_eq!(inside(&around, ([0.0; 2], 1.0), [2, 2]), [true; 4]);
        assert_eq!(inside(&around, ([30.0; 2], 1.0), [2, 2]), [false; 4]);
    }
}

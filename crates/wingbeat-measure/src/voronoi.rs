//! Voronoi cells of people in the plane: density and speed without the steps of counting heads.

use crate::area::Area;
use wingbeat_record::{Frame, RecordError, Row};

/// Half the square root of 3, the cosine of 30°.
const COS_30: f64 = 0.866_025_403_784_438_6;

/// What bounds the cells of those at the edge of a crowd.
///
/// A person's cell is all that is nearer to this person than to any other person, cut at a regular
/// polygon of twelve corners around them (as PedPy does by default) and at the walkable area. A
/// larger radius lets people at the edge of a crowd count over more floor.
///
/// ```
/// use wingbeat_measure::{Area, Voronoi};
/// use wingbeat_record::{Options, read};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("two.txt");
/// std::fs::write(&path, "1 0 1 1\n2 0 3 1\n")?;
/// let recording = read(&path, &Options::default())?;
/// // A room of 4 by 2 for two: their cells meet in its middle.
/// let room = Area::new([0.0, 0.0, 4.0, 2.0])?;
/// let cells = Voronoi::new(5.0, Some(room))?;
/// assert_eq!(
///     Area::new([0.5, 0.5, 3.5, 1.5])?.voronoi(&recording.frame(0)?, &cells).density,
///     0.25
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: Steffen & Seyfried 2010, Physica A 389, 1902.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voronoi {
    radius: f64,
    walkable: Option<Area>,
}

/// One person's cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Whose it is.
    pub id: u64,
    /// Its size, length²; above 0.
    pub size: f64,
    /// Its corners, counterclockwise, in the recording's lengths. It is convex.
    pub corners: Vec<[f64; 2]>,
    /// The person's speed in the plane; NaN where it is not known.
    pub speed: f64,
}

/// Density and speed in a rectangle, by the cells that lie in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoronoiMeasure {
    /// D = Σ |Cᵢ ∩ A|/|Cᵢ| / |A|, individuals per length²: the mean over the rectangle A of one
    /// over the size of the cell.
    pub density: f64,
    /// Σ vᵢ |Cᵢ ∩ A| / Σ |Cᵢ ∩ A| over all whose velocity is known, length/time: the mean over the
    /// part of A that cells cover.
    pub speed: Option<f64>,
}

impl Voronoi {
    /// Cells cut at this distance, and at a rectangle outside which no person can stand, if there
    /// is one.
    ///
    /// # Errors
    /// Unless the radius is finite and above 0.
    pub fn new(radius: f64, walkable: Option<Area>) -> Result<Self, RecordError> {
        if !(radius > 0.0 && radius.is_finite()) {
            let allowed = "a number above 0, 2 is usual in meters".into();
            return Err(RecordError::Option {
                name: "voronoi",
                value: radius.to_string(),
                allowed,
            });
        }
        Ok(Self { radius, walkable })
    }

    /// The cells of all, or of those that are so near to a rectangle that their cells may reach
    /// into it. Those outside the walkable area have none but cut those of others. Who stands on
    /// one spot with another shares the cell.
    ///
    /// Cost: n log n for n people in the frame, and m log m for each with m others within twice the
    /// radius.
    pub fn cells(&self, frame: &Frame<'_>, around: Option<&Area>) -> Vec<Cell> {
        let mut places: Vec<([f64; 2], &Row)> =
            frame.rows.iter().map(|row| (in_plane(row.position), row)).collect();
        // By x, so that the near ones are a slice.
        places.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
        let mut cells = Vec::new();
        let (mut near, mut polygon) = (Vec::new(), Polygon::default());
        for &(place, row) in &places {
            let stands_outside = self.walkable.is_some_and(|walkable| !walkable.within(place, 0.0));
            if stands_outside || around.is_some_and(|around| !around.within(place, self.radius)) {
                continue;
            }
            near.clear();
            let reach = 2.0 * self.radius;
            let start = places.partition_point(|(other, _)| other[0] < place[0] - reach);
            for (other, _) in
                places[start..].iter().take_while(|(other, _)| other[0] <= place[0] + reach)
            {
                let offset = [other[0] - place[0], other[1] - place[1]];
                let distance_sq = norm_sq(offset);
                if distance_sq > 0.0 && distance_sq < reach * reach {
                    near.push((distance_sq, offset));
                }
            }
            near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            self.cut(place, &near, &mut polygon);
            let size = polygon.size();
            if size > 0.0 {
                let corners = polygon
                    .corners
                    .iter()
                    .map(|corner| [corner[0] + place[0], corner[1] + place[1]])
                    .collect();
                cells.push(Cell { id: row.id, size, corners, speed: speed(row.velocity) });
            }
        }
        cells
    }

    /// The cell of an individual at `place`, with corners as offsets from there; the others by
    /// growing distance.
    fn cut(&self, place: [f64; 2], near: &[(f64, [f64; 2])], polygon: &mut Polygon) {
        polygon.begin(self.radius);
        if let Some(walkable) = &self.walkable {
            walkable
                .sides(place)
                .into_iter()
                .for_each(|(outward, most)| polygon.keep(outward, most));
        }
        for &(distance_sq, offset) in near {
            // The bisector is half the distance away: beyond the farthest corner it cuts nothing,
            // and so do all that follow.
            if distance_sq > 4.0 * polygon.reach_sq() {
                break;
            }
            polygon.keep(offset, 0.5 * distance_sq);
        }
    }
}

impl Area {
    /// Density and speed by the cells of those around. `None` as speed where no cell of a known
    /// velocity reaches into the rectangle.
    pub fn voronoi(&self, frame: &Frame<'_>, voronoi: &Voronoi) -> VoronoiMeasure {
        let (mut persons, mut covered, mut speeds) = (0.0, 0.0, 0.0);
        let mut polygon = Polygon::default();
        for cell in voronoi.cells(frame, Some(self)) {
            polygon.corners.clone_from(&cell.corners);
            self.sides([0.0; 2])
                .into_iter()
                .for_each(|(outward, most)| polygon.keep(outward, most));
            let inside = polygon.size();
            persons += inside / cell.size;
            if !cell.speed.is_nan() {
                covered += inside;
                speeds += cell.speed * inside;
            }
        }
        VoronoiMeasure {
            density: persons / self.size(),
            speed: (covered > 0.0).then(|| speeds / covered),
        }
    }
}

/// A convex polygon that is cut smaller and smaller; corners counterclockwise.
#[derive(Debug, Default)]
struct Polygon {
    corners: Vec<[f64; 2]>,
    /// Where the next one grows.
    next: Vec<[f64; 2]>,
}

impl Polygon {
    /// Twelve corners at this distance from the origin, the first on the x axis.
    fn begin(&mut self, radius: f64) {
        const QUARTER: [[f64; 2]; 3] = [[1.0, 0.0], [COS_30, 0.5], [0.5, COS_30]];
        self.corners.clear();
        // A quarter turn takes (x, y) to (−y, x).
        let turned =
            |[x, y]: [f64; 2], quarters: usize| [[x, y], [-y, x], [-x, -y], [y, -x]][quarters];
        let corners = (0..4).flat_map(|quarters| QUARTER.map(|corner| turned(corner, quarters)));
        self.corners.extend(corners.map(|[x, y]| [x * radius, y * radius]));
    }

    /// Keeps the corners p with p · outward ≤ most, and cuts the sides between those and others.
    fn keep(&mut self, outward: [f64; 2], most: f64) {
        let beyond = |p: [f64; 2]| p[0] * outward[0] + p[1] * outward[1] - most;
        self.next.clear();
        for (i, &corner) in self.corners.iter().enumerate() {
            let following = self.corners[(i + 1) % self.corners.len()];
            let (here, there) = (beyond(corner), beyond(following));
            if here <= 0.0 {
                self.next.push(corner);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let part = here / (here - there);
                self.next.push([0, 1].map(|a| corner[a] + (following[a] - corner[a]) * part));
            }
        }
        std::mem::swap(&mut self.corners, &mut self.next);
    }

    /// Squared distance of the farthest corner from the origin.
    fn reach_sq(&self) -> f64 {
        self.corners.iter().map(|&corner| norm_sq(corner)).fold(0.0, f64::max)
    }

    /// Half the sum of the cross products of its sides as seen from its first corner, which keeps
    /// digits far from the origin.
    fn size(&self) -> f64 {
        let Some(first) = self.corners.first() else { return 0.0 };
        let from_first = |p: [f64; 2]| [p[0] - first[0], p[1] - first[1]];
        let crosses = self.corners.windows(2).map(|pair| {
            let [a, b] = [from_first(pair[0]), from_first(pair[1])];
            a[0] * b[1] - a[1] * b[0]
        });
        0.5 * crosses.fold(0.0, |sum, cross| sum + cross)
    }
}

fn in_plane([x, y, _]: [f64; 3]) -> [f64; 2] {
    [x, y]
}

fn norm_sq([x, y]: [f64; 2]) -> f64 {
    x * x + y * y
}

fn speed(velocity: [f64; 3]) -> f64 {
    norm_sq(in_plane(velocity)).sqrt()
}

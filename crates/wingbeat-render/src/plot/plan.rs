//! A floor plan over the colours of a map: walls, obstacles and exits.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::clip::{clipped, clipped_polygon};
use super::draw::{Drawn, INK, SMALL, at, em, letters, px};
use crate::text::Font;

type Plane<'a, B> = ChartContext<'a, B, Cartesian2d<Axis, Axis>>;
type Rectangle2 = [[f64; 2]; 2];

/// Okabe and Ito's green, darker, so that it stands out from every colour of the scale and from
/// white.
const EXIT: RGBColor = RGBColor(0, 120, 85);
const SOLID: RGBColor = RGBColor(168, 171, 176);
/// Bluish, which no colour of the scale is.
pub const UNVISITED: RGBColor = RGBColor(222, 231, 242);
/// More exits than this have no names: they would hide the map.
const MOST_NAMES: usize = 40;
/// From an exit to its name.
const GAP: i32 = 5;

/// Walls, obstacles and exits of the place that a map shows, in the units of its axes. What lies
/// outside of the plotted area is cut off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorPlan {
    /// Walls and the outlines of obstacles: dark lines.
    pub walls: Vec<[[f64; 2]; 2]>,
    /// Obstacles that have an inside, as simple polygons whose last corner is joined to the first:
    /// filled gray.
    pub obstacles: Vec<Vec<[f64; 2]>>,
    /// Exits: green outlines.
    pub exits: Vec<PlanExit>,
    /// Whether the middle of each cell can be stood on, in the order of the map's values. A cell
    /// that can and has no value is tinted, and the legend names the tint; one that cannot is
    /// white. Default empty: no cell is tinted.
    pub walkable: Vec<bool>,
    /// What the legend calls the tinted cells.
    pub walkable_label: String,
}

/// An exit of a [`FloorPlan`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanExit {
    /// Its name, written beside it where there is room: on no wall, no other exit and no cell with
    /// a value. May be empty.
    pub name: String,
    /// Its outline.
    pub lines: Vec<[[f64; 2]; 2]>,
}

impl FloorPlan {
    /// Whether all its numbers are finite, and it speaks of so many cells or of none.
    pub(super) fn fits(&self, cells: usize) -> bool {
        let exits = self.exits.iter().flat_map(|exit| &exit.lines);
        let lines = self.walls.iter().chain(exits).flatten();
        let mut points = lines.chain(self.obstacles.iter().flatten());
        points.all(|[x, y]| x.is_finite() && y.is_finite())
            && (self.walkable.is_empty() || self.walkable.len() == cells)
    }

    /// Draws obstacles, walls and exits on a plane that shows this area.
    pub(super) fn draw<B: DrawingBackend>(
        &self,
        plane: &mut Plane<'_, B>,
        area: Rectangle2,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let solids = self.obstacles.iter().map(|corners| clipped_polygon(corners, area));
        plane.draw_series(
            solids
                .filter(|corners| corners.len() > 2)
                .map(|corners| Polygon::new(pairs(&corners), SOLID.filled())),
        )?;
        let exits = self.exits.iter().flat_map(|exit| &exit.lines);
        draw_lines(plane, self.walls.iter(), area, INK.stroke_width(px(2)))?;
        draw_lines(plane, exits, area, EXIT.stroke_width(px(3)))
    }

    /// The exits' names with the middles of the rectangles that hold them, of those that have room.
    /// `scale` is how many pixels a unit has on each axis; `is_taken` says whether any cell in a
    /// rectangle has a value.
    fn names(
        &self,
        font: &Font,
        (area, scale): (Rectangle2, [f64; 2]),
        is_taken: impl Fn(Rectangle2) -> bool,
    ) -> Vec<(&str, [f64; 2])> {
        if self.exits.len() > MOST_NAMES {
            return Vec::new();
        }
        let mut written: Vec<Rectangle2> = Vec::new();
        let mut found = Vec::new();
        let is_free = |written: &[Rectangle2], [low, high]: Rectangle2| {
            let exits = self.exits.iter().flat_map(|exit| &exit.lines);
            let is_inside = (0..2).all(|a| area[0][a] <= low[a] && high[a] <= area[1][a]);
            let meets =
                |other: &Rectangle2| (0..2).all(|a| other[0][a] < high[a] && low[a] < other[1][a]);
            is_inside
                && !written.iter().any(meets)
                && !is_taken([low, high])
                && !self.walls.iter().chain(exits).any(|&l| clipped(l, [low, high]).is_some())
        };
        for exit in self.exits.iter().filter(|exit| !exit.name.is_empty()) {
            let Some([low, high]) = box_of(exit, area) else { continue };
            let size = [font.width(&exit.name, em(SMALL)) / scale[0], em(SMALL) / scale[1]];
            let gap = scale.map(|pixels| f64::from(at(GAP)) / pixels);
            let middle = [0, 1].map(|a| 0.5 * (low[a] + high[a]));
            let away = [0, 1].map(|a| gap[a] + 0.5 * size[a]);
            let beside = [
                [high[0] + away[0], middle[1]],
                [low[0] - away[0], middle[1]],
                [middle[0], high[1] + away[1]],
                [middle[0], low[1] - away[1]],
            ];
            let around =
                |place: [f64; 2]| [-0.5, 0.5].map(|side| [0, 1].map(|a| place[a] + side * size[a]));
            if let Some(place) = beside.into_iter().find(|&place| is_free(&written, around(place)))
            {
                written.push(around(place));
                found.push((exit.name.as_str(), place));
            }
        }
        found
    }

    /// Writes the names of exits beside them. `is_taken` says whether any cell in a rectangle has a
    /// value.
    pub(super) fn write_names<B: DrawingBackend>(
        &self,
        plane: &mut Plane<'_, B>,
        font: &Font,
        area: Rectangle2,
        is_taken: impl Fn(Rectangle2) -> bool,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let (x, y) = plane.plotting_area().get_pixel_range();
        let scale = [x, y].map(|range| f64::from(range.end - range.start));
        let scale = [0, 1].map(|a| scale[a] / (area[1][a] - area[0][a]));
        let style = letters(SMALL, EXIT).pos(Pos::new(HPos::Center, VPos::Center));
        let names = self.names(font, (area, scale), is_taken);
        plane.draw_series(
            names
                .into_iter()
                .map(|(name, [x, y])| Text::new(name.to_string(), (x, y), style.clone())),
        )?;
        Ok(())
    }
}

/// The box around the part of an exit that lies in an area.
fn box_of(exit: &PlanExit, area: Rectangle2) -> Option<Rectangle2> {
    let lines = exit.lines.iter().filter_map(|&line| clipped(line, area)).flatten();
    lines.fold(None, |found, point| {
        let [low, high] = found.unwrap_or([point; 2]);
        Some([[0, 1].map(|a| low[a].min(point[a])), [0, 1].map(|a| high[a].max(point[a]))])
    })
}

/// Draws the parts of lines inside an area, those that follow each other in one stroke: ends have
/// no gap between them then.
fn draw_lines<'a, B: DrawingBackend>(
    plane: &mut Plane<'_, B>,
    lines: impl Iterator<Item = &'a [[f64; 2]; 2]>,
    area: Rectangle2,
    style: ShapeStyle,
) -> Drawn
where
    B::ErrorType: 'static,
{
    let mut chains: Vec<Vec<[f64; 2]>> = Vec::new();
    for [from, to] in lines.filter_map(|&line| clipped(line, area)) {
        match chains.last_mut().filter(|chain| chain.last() == Some(&from)) {
            Some(chain) => chain.push(to),
            None => chains.push(vec![from, to]),
        }
    }
    plane.draw_series(chains.iter().map(|chain| PathElement::new(pairs(chain), style)))?;
    Ok(())
}

fn pairs(points: &[[f64; 2]]) -> Vec<(f64, f64)> {
    points.iter().map(|&[x, y]| (x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rectangle2 = [[0.0, 0.0], [10.0, 5.0]];

    fn exit(name: &str, [low, high]: Rectangle2) -> PlanExit {
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]], low];
        let lines = corners.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        PlanExit { name: name.into(), lines }
    }

    #[test]
    fn names_stand_where_there_is_room() {
        let font = Font::new().expect("a font");
        let places = |plan: &FloorPlan, taken: Option<Rectangle2>| {
            let is_taken = |[low, high]: Rectangle2| {
                taken.is_some_and(|other| {
                    (0..2).all(|a| other[0][a] < high[a] && low[a] < other[1][a])
                })
            };
            let names = plan.names(&font, (AREA, [100.0; 2]), is_taken);
            names.into_iter().map(|(name, place)| (name.to_string(), place)).collect::<Vec<_>>()
        };
        let door = exit("door", [[4.0, 2.0], [5.0, 3.0]]);
        let plan = FloorPlan { exits: vec![door], ..FloorPlan::default() };
        let [(name, right)] = &places(&plan, None)[..] else { panic!("one name") };
        assert!(name == "door" && right[0] > 5.0 && right[1] == 2.5, "{right:?}");
        // A wall to the right of it, values to the left: above.
        let walls = vec![[[5.2, 0.0], [5.2, 5.0]]];
        let plan = FloorPlan { walls, ..plan };
        let [(_, above)] = places(&plan, Some([[0.0, 0.0], [4.0, 5.0]]))[..] else {
            panic!("one name")
        };
        assert!(above[0] == 4.5 && above[1] > 3.0, "{above:?}");
        assert!(places(&plan, Some(AREA)).is_empty());
        // Outside of what is shown, there is none.
        let far = exit("far", [[40.0, 2.0], [50.0, 3.0]]);
        assert!(places(&FloorPlan { exits: vec![far], ..plan }, None).is_empty());
    }
}

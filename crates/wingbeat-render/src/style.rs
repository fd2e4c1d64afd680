//! How boids are drawn.

use crate::RenderError;

/// What colours say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Color {
    /// Directions around an even wheel; in space by the compass, and lighter where they climb.
    #[default]
    Heading,
    /// Speed, slow to fast.
    Speed,
    /// One colour for each species.
    Species,
}

/// What is behind the boids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Background {
    /// Dark blue, as a night sky.
    #[default]
    Dark,
    /// Nearly white, for print.
    Light,
}

/// How boids are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// What colours say. Default: heading.
    pub color: Color,
    /// What is behind. Default: dark.
    pub background: Background,
    /// Trails over this many frames, 0 to 1000. Default 0, none; more reach further back and take
    /// longer to draw.
    pub trails: usize,
    /// Length of a boid in pixels in the middle of the picture, 1 to 200. Default: by how far apart
    /// they are on the first picture, between 5 and 26.
    pub length: Option<f32>,
    /// Speeds at the two ends of the colours. Default: those between which 98 % of the first
    /// picture's boids lie.
    pub speeds: Option<[f32; 2]>,
    /// Whether the background is of one colour, for films with few. Default: no, it grows lighter
    /// or darker downwards.
    pub flat: bool,
    /// Whether to draw the scale bar, the legend and the time. Default: yes.
    pub labels: bool,
    /// What a length of 1 is called beside the scale bar. Default: "units".
    pub unit: String,
    /// What a time of 1 is called beside the time and speeds; may be empty, the default.
    pub time_unit: String,
    /// What boids are called where they are counted. Default: "boids".
    pub noun: String,
    /// Names of the species, for the legend.
    pub species: Vec<String>,
    /// Radii of bodies in lengths of the world, by species, or one where there are none: boids that
    /// have one are discs, to scale. Default: none, boids are arrowheads.
    pub radii: Vec<f32>,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            color: Color::default(),
            background: Background::default(),
            trails: 0,
            length: None,
            speeds: None,
            flat: false,
            labels: true,
            unit: "units".into(),
            time_unit: String::new(),
            noun: "boids".into(),
            species: Vec::new(),
            radii: Vec::new(),
        }
    }
}

/// Frames a trail may reach back.
const MOST_TRAILS: usize = 1000;

impl Style {
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        if self.trails > MOST_TRAILS {
            return Err(RenderError::value("trails", self.trails, "0 to 1000 frames"));
        }
        if let Some(length) = self.length.filter(|length| !(1.0..=200.0).contains(length)) {
            return Err(RenderError::value("length", length, "1 to 200 pixels"));
        }
        if let Some([slow, fast]) = self
            .speeds
            .filter(|[slow, fast]| !(slow.is_finite() && fast.is_finite() && slow < fast))
        {
            return Err(RenderError::value(
                "speeds",
                format!("{slow}, {fast}"),
                "two finite speeds, the lower first",
            ));
        }
        Ok(())
    }
}

//! `--vary`: the keys that are varied, as a box of unit sides for a search.

use wingbeat_record::significant;
use wingbeat_scene::{KeyKind, Override, Scene, SettingValue, known_key};

use crate::failure::Failure;
use crate::options::full_name;

/// More keys than this no search of some hundred points finds its way in.
const MOST_KEYS: usize = 8;
/// Digits of a value: more than a flock's own numbers have would be lost.
const DIGITS: usize = 7;
const SYNTAX: &str = "KEY=A..B with two finite numbers, A below B";

/// A key, and between which numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    pub key: String,
    pub low: f64,
    pub high: f64,
}

impl Varied {
    /// All that were given, each key once.
    pub fn parse(texts: &[String]) -> Result<Vec<Self>, Failure> {
        let mut all: Vec<Self> = Vec::new();
        for text in texts {
            let varied = Self::one(text)?;
            if all.iter().any(|other| other.key == varied.key) {
                return Err(Failure::value("--vary", text, "each key once"));
            }
            all.push(varied);
        }
        if all.len() > MOST_KEYS {
            return Err(Failure::value(
                "--vary",
                &format!("{} keys", all.len()),
                &format!("at most {MOST_KEYS}"),
            ));
        }
        Ok(all)
    }

    fn one(text: &str) -> Result<Self, Failure> {
        let refused = |allowed: &str| Failure::value("--vary", text, allowed);
        let (key, range) = text.split_once('=').ok_or_else(|| refused(SYNTAX))?;
        let (low, high) = range.split_once("..").ok_or_else(|| refused(SYNTAX))?;
        let finite = |end: &str| end.trim().parse().ok().filter(|x: &f64| x.is_finite());
        let (low, high) = finite(low)
            .zip(finite(high))
            .filter(|(low, high)| low < high)
            .ok_or_else(|| refused(SYNTAX))?;
        let key = full_name(key.trim());
        let is_number =
            known_key(&key).is_some_and(|known| matches!(known.kind, KeyKind::Number { .. }));
        if !is_number || key == "flock.dt" {
            return Err(refused(
                "a key that takes any number between two, as docs/SCENES.md lists \
                them (but not flock.dt)",
            ));
        }
        Ok(Self { key, low, high })
    }

    /// The value at a place from 0 to 1, as it is written in a scene.
    pub fn text(&self, place: f64) -> String {
        significant(self.low + (self.high - self.low) * place.clamp(0.0, 1.0), DIGITS)
    }

    /// Where a value is, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    pub fn set(&self, text: &str) -> Override {
        Override::flag("--vary", &self.key, text)
    }

    /// What the scene itself says, or its default, if that is known.
    pub fn own(&self, scene: &Scene) -> Option<f64> {
        let setting = scene.settings().into_iter().find(|setting| setting.name == self.key)?;
        match setting.value {
            Some(SettingValue::Number(value)) => Some(value),
            Some(SettingValue::Whole(value)) => Some(value as f64),
            _ => None,
        }
    }
}

/// A point's values as a scene has them.
pub fn texts(varied: &[Varied], point: &[f64]) -> Vec<String> {
    varied.iter().zip(point).map(|(varied, place)| varied.text(*place)).collect()
}

/// The same values as numbers.
pub fn numbers(texts: &[String]) -> Vec<f64> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

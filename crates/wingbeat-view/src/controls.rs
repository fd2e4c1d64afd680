//! Sliders, boxes and switches, each from the scene's own table of keys: no name, unit, range or sentence is written here.

use serde::Serialize;
use wingbeat_scene::{Effect, Kind, Scene, Setting, SettingValue};

/// One key, as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// Dotted name.
    pub key: String,
    /// What it takes, in a word: `number`, `whole`, `flag`, `text`, `choice`, `point`, `points`, `pairs`, `terms`.
    pub kind: &'static str,
    /// In the scene's own length and time; empty where there is none.
    pub unit: &'static str,
    /// What it is, and what a larger value does.
    pub about: String,
    /// What holds when it is left out, in words.
    pub default: String,
    /// What holds; `null` where that is a matter of other keys.
    pub value: Option<Shown>,
    /// Whether the scene says so, or it is the default.
    pub given: bool,
    /// `next_step`, or `rebuild`: when the flock is reset.
    pub effect: &'static str,
    /// Whether its value waits for a reset.
    pub pending: bool,
    /// Smallest and largest number that is allowed.
    pub allowed: Option<[f64; 2]>,
    /// Where the slider ends, and how far it goes at a time.
    pub slider: Option<Slider>,
    /// The words of a choice, the terms of a list.
    pub choices: &'static [&'static str],
}

/// A value as JSON has it. Whole numbers beyond 2⁵³ are texts, which a page can show and return as they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// A switch.
    Flag(bool),
    /// A text.
    Text(String),
    /// A point, points or terms.
    List(Vec<Shown>),
}

/// The ends of a slider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slider {
    /// Left end.
    pub min: f64,
    /// Right end.
    pub max: f64,
    /// How far it goes at a time.
    pub step: f64,
}

/// Controls of `tuned`. Sliders are laid out about the values of `running`, so that they stand still while they are pulled.
pub fn controls(tuned: &Scene, running: &Scene) -> Vec<Control> {
    let before = running.settings();
    let listed = tuned.settings().into_iter().filter(|setting| setting.key.effect() != Effect::None);
    listed.map(|setting| control(&setting, before.iter().find(|old| old.name == setting.name))).collect()
}

/// Keys whose values differ between the two and wait for the flock to be built anew.
pub fn pending(tuned: &Scene, running: &Scene) -> Vec<String> {
    let waiting = controls(tuned, running).into_iter().filter(|control| control.pending);
    waiting.map(|control| control.key).collect()
}

fn control(setting: &Setting, before: Option<&Setting>) -> Control {
    let key = setting.key;
    let rebuild = key.effect() == Effect::Rebuild;
    let (kind, choices): (_, &'static [&'static str]) = match key.kind {
        Kind::Number { .. } => ("number", &[]),
        Kind::Whole { .. } => ("whole", &[]),
        Kind::Flag => ("flag", &[]),
        Kind::Text => ("text", &[]),
        Kind::Choice(words) => ("choice", words),
        Kind::Point | Kind::PointOrTrue => ("point", &[]),
        Kind::Points(_) => ("points", &[]),
        Kind::Pairs => ("pairs", &[]),
        Kind::Terms(terms) => ("terms", terms),
        // Kinds of later versions: a box for a TOML value.
        _ => ("other", &[]),
    };
    let allowed = match key.kind {
        Kind::Number { min, max, .. } => Some([min, max]),
        Kind::Whole { min, max } => Some([min as f64, max as f64]),
        _ => None,
    };
    let about = before.and_then(|old| number(old.value.as_ref()));
    Control {
        key: setting.name.clone(),
        kind,
        unit: key.unit,
        about: key.about.clone(),
        default: key.default.clone(),
        value: setting.value.as_ref().map(shown),
        given: setting.is_given,
        effect: if rebuild { "rebuild" } else { "next_step" },
        pending: rebuild && before.map(|old| &old.value) != Some(&setting.value),
        allowed,
        slider: slider(&setting.name, &key.kind, about, number(setting.value.as_ref())),
        choices,
    }
}

fn number(value: Option<&SettingValue>) -> Option<f64> {
    match value? {
        SettingValue::Number(number) => Some(*number),
        SettingValue::Whole(whole) => Some(*whole as f64),
        _ => None,
    }
}

fn shown(value: &SettingValue) -> Shown {
    match value {
        SettingValue::Number(number) => Shown::Number(*number),
        SettingValue::Whole(whole) if whole.unsigned_abs() >= 1 << 53 => Shown::Text(whole.to_string()),
        SettingValue::Whole(whole) => Shown::Whole(*whole),
        SettingValue::Flag(flag) => Shown::Flag(*flag),
        SettingValue::Text(text) => Shown::Text(text.clone()),
        SettingValue::List(items) => Shown::List(items.iter().map(shown).collect()),
        other => Shown::Text(format!("{other:?}")),
    }
}

/// Widest range that a slider shows whole: 360 degrees, 32 neighbours.
const WHOLE_RANGE: f64 = 400.0;

/// A range a hand can use, out of one that spans twenty powers of ten: the whole of it where it is small, else from 0 (or from as
/// far below it, for a negative value) to four times the value, rounded up; always within what is allowed, and about `now`. A key
/// of no number in the scene has no slider, and a seed is none to be pulled at.
fn slider(name: &str, kind: &Kind, about: Option<f64>, now: Option<f64>) -> Option<Slider> {
    let (min, max, whole) = match *kind {
        Kind::Number { min, max, .. } => (min, max, false),
        Kind::Whole { min, max } => (min as f64, max as f64, true),
        _ => return None,
    };
    let now = now?;
    if name == "flock.seed" || max - min <= 1.0 && whole {
        return None;
    }
    if max - min <= WHOLE_RANGE {
        return Some(Slider { min, max, step: if whole { 1.0 } else { stride(max - min) } });
    }
    let about = about.unwrap_or(now);
    let size = if about == 0.0 { 1.0 } else { about.abs() };
    let reach = round_up(4.0 * size);
    let reach = if whole && reach < 10.0 { 10.0 } else { reach };
    let step = stride(reach);
    let step = if whole && step < 1.0 { 1.0 } else { step };
    let mut low = if about < 0.0 { -reach } else { 0.0 };
    // A bound of 1e-9 means "above 0": the slider ends one step before it.
    if low < min {
        low = if min > 0.0 && min < step && !whole { step } else { min };
    }
    let high = if reach > max { max } else { reach };
    let low = if kind_excludes(kind, low) { step } else { low };
    Some(Slider { min: if now < low { now } else { low }, max: if now > high { now } else { high }, step })
}

/// Whether the kind refuses its own smallest number.
fn kind_excludes(kind: &Kind, low: f64) -> bool {
    matches!(*kind, Kind::Number { min, above_min: true, .. } if low <= min)
}

/// A two hundredth of a range, or a little less: 1, 2 or 5 times a power of ten.
fn stride(range: f64) -> f64 {
    let power = power_of_ten(libm::floor(libm::log10(range / 200.0)));
    [5.0, 2.0].into_iter().map(|digit| digit * power).find(|&step| step <= range / 200.0).unwrap_or(power)
}

/// The next of 1, 2, 4, 5, 8 times a power of ten.
fn round_up(x: f64) -> f64 {
    let power = power_of_ten(libm::floor(libm::log10(x)));
    [1.0, 2.0, 4.0, 5.0, 8.0].into_iter().map(|digit| digit * power).find(|&bound| bound >= x).unwrap_or(10.0 * power)
}

/// The double nearest to 10 to a whole power, which `pow` need not give.
fn power_of_ten(exponent: f64) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wingbeat_scene::{PRESETS, known_key};

    fn of(preset: &str) -> Vec<Control> {
        let scene = Scene::load(preset, &[]).expect("a preset");
        controls(&scene, &scene)
    }

    #[test]
    fn sliders_are_about_the_value() {
        let all = of("shoal");
        let slider = |key: &str| all.iter().find(|control| control.key == key).and_then(|control| control.slider);
        assert_eq!(slider("separation.weight"), Some(Slider { min: 0.0, max: 40.0, step: 0.2 }));
        assert_eq!(slider("alignment.field_of_view"), Some(Slider { min: 0.0, max: 360.0, step: 1.0 }));
        assert_eq!(slider("flock.dt"), Some(Slider { min: 0.001, max: 0.2, step: 0.001 }));
        assert_eq!(slider("cohesion.radius"), Some(Slider { min: 0.05, max: 10.0, step: 0.05 }));
        assert_eq!(slider("flock.steer_every"), Some(Slider { min: 1.0, max: 10.0, step: 1.0 }));
        assert_eq!(slider("flock.seed"), None);
        let negative = slider_of("rule", -2.0);
        assert_eq!(negative, Some(Slider { min: -8.0, max: 8.0, step: 0.02 }));
    }

    fn slider_of(name: &str, about: f64) -> Option<Slider> {
        super::slider(name, &Kind::Number { min: -1e9, max: 1e9, above_min: false }, Some(about), Some(about))
    }

    /// Every number of every preset has a slider within what is allowed, with the value on it.
    #[test]
    fn every_number_has_a_slider() {
        for preset in PRESETS {
            let all = of(preset.name);
            for control in &all {
                let value = match control.value {
                    Some(Shown::Number(x)) => x,
                    Some(Shown::Whole(x)) => x as f64,
                    _ => continue,
                };
                if ["flock.seed", "flock.dimensions"].contains(&control.key.as_str()) {
                    continue;
                }
                let slider = control.slider.unwrap_or_else(|| panic!("{}: {} has no slider", preset.name, control.key));
                let [min, max] = control.allowed.expect("a number's range");
                assert!(min <= slider.min && slider.min < slider.max && slider.max <= max, "{}: {control:?}", preset.name);
                assert!((slider.min..=slider.max).contains(&value), "{}: {control:?}", preset.name);
                assert!(slider.step > 0.0 && slider.step * 500.0 >= slider.max - slider.min, "{}: {control:?}", preset.name);
            }
            let known = |control: &Control| known_key(&control.key).is_some() && !control.about.is_empty();
            assert!(all.len() > 10 && all.iter().all(known));
        }
    }

    #[test]
    fn what_needs_a_reset_waits_for_it() {
        let scene = |text: &str| Scene::parse("a.toml", text, &[]).expect("a scene");
        let running = scene("[flock]\nboids = 5\n[cohesion]\n");
        let tuned = scene("[flock]\nboids = 6\n[cohesion]\nweight = 2.0\n");
        assert_eq!(pending(&tuned, &running), ["flock.boids"]);
        assert!(pending(&running, &running).is_empty());
    }
}

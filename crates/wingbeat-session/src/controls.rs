//! Sliders, boxes and switches, made from the scene's table of keys: no name, unit, range or
//! description is written here.

use serde::Serialize;
use wingbeat_scene::{Effect, KeyKind, Scene, Setting, SettingValue};

/// A key as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// Dotted name.
    pub key: String,
    /// What it takes: `number`, `whole`, `flag`, `text`, `choice`, `point`, `points`, `pairs`,
    /// `terms`.
    pub kind: &'static str,
    /// In the scene's own length and time; empty where there is none.
    pub unit: &'static str,
    /// Its description, with the effect of a larger value.
    pub about: String,
    /// The value that holds where the scene has none, in words.
    pub default: String,
    /// Its value; `null` where that depends on other keys.
    pub value: Option<ControlValue>,
    /// Whether the scene sets it; otherwise the value is the default.
    pub given: bool,
    /// When a new value holds: `next_step`, or `rebuild` (when the flock is reset).
    pub effect: &'static str,
    /// Whether its value waits for a reset.
    pub pending: bool,
    /// Smallest and largest number that is allowed.
    pub allowed: Option<[f64; 2]>,
    /// Its slider; `null` where it has none.
    pub slider: Option<Slider>,
    /// What a choice or a list of terms is made of.
    pub choices: &'static [&'static str],
}

/// A value in JSON. Whole numbers of 2⁵³ and above are texts, since a page's numbers would round
/// them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ControlValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// A switch.
    Flag(bool),
    /// A text.
    Text(String),
    /// A point, points or terms.
    List(Vec<ControlValue>),
}

/// The range of a slider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slider {
    /// Left end.
    pub min: f64,
    /// Right end.
    pub max: f64,
    /// Distance from one position to the next.
    pub step: f64,
}

/// Controls of `tuned`. The ranges of sliders follow from the values of `running`, so that they do
/// not change while one is pulled.
pub fn controls(tuned: &Scene, running: &Scene) -> Vec<Control> {
    let before = running.settings();
    let listed =
        tuned.settings().into_iter().filter(|setting| setting.key.effect() != Effect::None);
    listed
        .map(|setting| control(&setting, before.iter().find(|old| old.name == setting.name)))
        .collect()
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
        KeyKind::Number { .. } => ("number", &[]),
        KeyKind::Whole { .. } => ("whole", &[]),
        KeyKind::Flag => ("flag", &[]),
        KeyKind::Text => ("text", &[]),
        KeyKind::Choice(words) => ("choice", words),
        KeyKind::Point(_) | KeyKind::PointOrTrue => ("point", &[]),
        KeyKind::Points { .. } => ("points", &[]),
        KeyKind::Pairs => ("pairs", &[]),
        KeyKind::Terms(terms) => ("terms", terms),
        // Kinds of later versions: a box for a TOML value.
        _ => ("other", &[]),
    };
    let allowed = match key.kind {
        KeyKind::Number { min, max, .. } => Some([min, max]),
        KeyKind::Whole { min, max } => Some([min as f64, max as f64]),
        _ => None,
    };
    let center = before.and_then(|old| number(old.value.as_ref()));
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
        slider: slider(&setting.name, &key.kind, center, number(setting.value.as_ref())),
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

fn shown(value: &SettingValue) -> ControlValue {
    match value {
        SettingValue::Number(number) => ControlValue::Number(*number),
        SettingValue::Whole(whole) if whole.unsigned_abs() >= 1 << 53 => {
            ControlValue::Text(whole.to_string())
        }
        SettingValue::Whole(whole) => ControlValue::Whole(*whole),
        SettingValue::Flag(flag) => ControlValue::Flag(*flag),
        SettingValue::Text(text) => ControlValue::Text(text.clone()),
        SettingValue::List(items) => ControlValue::List(items.iter().map(shown).collect()),
        other => ControlValue::Text(format!("{other:?}")),
    }
}

/// Widest range that a slider covers whole: 360 degrees, 32 neighbors.
const WHOLE_RANGE: f64 = 400.0;

/// A range that is of use on a screen, out of an allowed one that may span twenty powers of ten:
/// the whole where it is small, otherwise from 0 to four times the value of the running flock,
/// `center`, rounded up, and for a negative one as far below 0. It stays within what is allowed and
/// includes `now`. Where the scene has no number there is no slider, nor has a seed one.
fn slider(name: &str, kind: &KeyKind, center: Option<f64>, now: Option<f64>) -> Option<Slider> {
    let (min, max, whole) = match *kind {
        KeyKind::Number { min, max, .. } => (min, max, false),
        KeyKind::Whole { min, max } => (min as f64, max as f64, true),
        _ => return None,
    };
    let now = now?;
    if name == "flock.seed" || max - min <= 1.0 && whole {
        return None;
    }
    if max - min <= WHOLE_RANGE {
        return Some(Slider { min, max, step: if whole { 1.0 } else { slider_step(max - min) } });
    }
    let center = center.unwrap_or(now);
    let size = if center == 0.0 { 1.0 } else { center.abs() };
    let reach = round_up(4.0 * size);
    let reach = if whole && reach < 10.0 { 10.0 } else { reach };
    let step = slider_step(reach);
    let step = if whole && step < 1.0 { 1.0 } else { step };
    let mut low = if center < 0.0 { -reach } else { 0.0 };
    // A bound of 1e-9 means "above 0": the slider ends one step before it.
    if low < min {
        low = if min > 0.0 && min < step && !whole { step } else { min };
    }
    let high = if reach > max { max } else { reach };
    let low = if kind_excludes(kind, low) { step } else { low };
    Some(Slider {
        min: if now < low { now } else { low },
        max: if now > high { now } else { high },
        step,
    })
}

/// Whether the kind refuses its own smallest number.
fn kind_excludes(kind: &KeyKind, low: f64) -> bool {
    matches!(*kind, KeyKind::Number { min, above_min: true, .. } if low <= min)
}

/// The step of a slider, a two hundredth of its range or a little less: 1, 2 or 5 times a power of
/// ten.
fn slider_step(range: f64) -> f64 {
    let power = power_of_ten(libm::floor(libm::log10(range / 200.0)));
    [5.0, 2.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&step| step <= range / 200.0)
        .unwrap_or(power)
}

/// The next of 1, 2, 4, 5, 8 times a power of ten.
fn round_up(x: f64) -> f64 {
    let power = power_of_ten(libm::floor(libm::log10(x)));
    [1.0, 2.0, 4.0, 5.0, 8.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&bound| bound >= x)
        .unwrap_or(10.0 * power)
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
        let slider = |key: &str| {
            all.iter().find(|control| control.key == key).and_then(|control| control.slider)
        };
        assert_eq!(slider("separation.weight"), Some(Slider { min: 0.0, max: 40.0, step: 0.2 }));
        assert_eq!(
            slider("alignment.field_of_view"),
            Some(Slider { min: 0.0, max: 360.0, step: 1.0 })
        );
        assert_eq!(slider("flock.dt"), Some(Slider { min: 0.001, max: 0.2, step: 0.001 }));
        assert_eq!(slider("cohesion.radius"), Some(Slider { min: 0.05, max: 10.0, step: 0.05 }));
        assert_eq!(slider("flock.steer_every"), Some(Slider { min: 1.0, max: 10.0, step: 1.0 }));
        assert_eq!(slider("flock.seed"), None);
        let negative = slider_of("rule", -2.0);
        assert_eq!(negative, Some(Slider { min: -8.0, max: 8.0, step: 0.02 }));
    }

    fn slider_of(name: &str, value: f64) -> Option<Slider> {
        super::slider(
            name,
            &KeyKind::Number { min: -1e9, max: 1e9, above_min: false },
            Some(value),
            Some(value),
        )
    }

    /// Every number of every preset has a slider within what is allowed, with the value on it.
    #[test]
    fn every_number_has_a_slider() {
        for preset in PRESETS {
            let all = of(preset.name);
            for control in &all {
                let value = match control.value {
                    Some(ControlValue::Number(x)) => x,
                    Some(ControlValue::Whole(x)) => x as f64,
                    _ => continue,
                };
                if ["flock.seed", "flock.dimensions"].contains(&control.key.as_str()) {
                    continue;
                }
                let slider = control
                    .slider
                    .unwrap_or_else(|| panic!("{}: {} has no slider", preset.name, control.key));
                let [min, max] = control.allowed.expect("a number's range");
                assert!(
                    min <= slider.min && slider.min < slider.max && slider.max <= max,
                    "{}: {control:?}",
                    preset.name
                );
                assert!((slider.min..=slider.max).contains(&value), "{}: {control:?}", preset.name);
                assert!(
                    slider.step > 0.0 && slider.step * 500.0 >= slider.max - slider.min,
                    "{}: {control:?}",
                    preset.name
                );
            }
            let known =
                |control: &Control| known_key(&control.key).is_some() && !control.about.is_empty();
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

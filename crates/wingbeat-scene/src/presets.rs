//! Scenes that ship inside the library.

/// A scene that ships with the library.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What to call it on the command line.
    pub name: &'static str,
    /// What it is one of: `lessons`, `flocks`, `crowds`, `models`, `other tools`.
    pub group: &'static str,
    /// Its TOML, comments included.
    pub text: &'static str,
}

macro_rules! presets {
    ($($group:literal: $($name:literal),*;)*) => {
        /// All presets, in the order they are listed.
        pub const PRESETS: &[Preset] = &[$($(Preset {
            name: $name,
            group: $group,
            text: include_str!(concat!("../presets/", $name, ".toml"))
        }),*),*];
    };
}

presets! {
    "lessons": "three_rules", "predator_and_prey", "order_from_noise";
    "flocks": "murmuration", "shoal", "hunter_prey", "obstacle_course", "fish_bodies", "leader",
        "skein", "vision_cone", "vision_cone_follow", "seek_flee", "tank", "round_tank";
    "crowds": "evacuation", "building", "bottleneck", "fundamental_diagram", "counterflow",
        "crossing", "stadium";
    "models": "vicsek1995", "couzin2002", "cucker_smale", "reynolds1987";
    "other tools": "opensteer", "rvo_circle", "rvo_blocks", "circles", "netlogo", "mesa",
        "agents_jl", "mason", "unity", "unity_fixed";
}

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

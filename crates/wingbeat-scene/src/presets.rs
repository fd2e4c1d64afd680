//! Scenes that ship inside the library.

/// A scene that ships with the library.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What to call it on the command line.
    pub name: &'static str,
    /// Its TOML, comments included.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        /// All presets, in the order they are listed.
        pub const PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            text: include_str!(concat!("../presets/", $name, ".toml"))
        }),*];
    };
}

presets![
    "murmuration",
    "shoal",
    "opensteer",
    "hunter_prey",
    "obstacle_course",
    "evacuation",
    "bottleneck",
    "fundamental_diagram",
    "counterflow",
    "crossing",
    "stadium",
    "rvo_circle",
    "rvo_blocks",
    "fish_bodies",
    "leader",
    "skein",
    "vision_cone",
    "vision_cone_follow",
    "seek_flee",
    "vicsek1995",
    "couzin2002",
    "cucker_smale",
    "circles",
    "reynolds1987",
    "netlogo",
    "mesa",
    "agents_jl",
    "mason",
    "unity",
    "unity_fixed",
];

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

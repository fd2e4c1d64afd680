//! Which SIMD levels are compiled, as cfg `level_avx2` and `level_avx512`; the portable level is
//! always. All that the target has, or, where `WINGBEAT_BUILD_LEVELS` is `here`, the best one of
//! the machine that compiles. A program that is carried to another CPU runs the portable level.

/// Cargo's profile of releases, which has every level whatever the variable says: its programs are
/// made to be carried.
const RELEASES: &str = "dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=WINGBEAT_BUILD_LEVELS");
    println!("cargo::rustc-check-cfg=cfg(level_avx2, level_avx512)");
    let env = |name| std::env::var(name).unwrap_or_default();
    let here = match env("WINGBEAT_BUILD_LEVELS").as_str() {
        "here" => env("HOST") == env("TARGET") && !is_release(&env("OUT_DIR")),
        "all" | "" => false,
        other => {
            println!("cargo::error=WINGBEAT_BUILD_LEVELS is '{other}': allowed is all or here");
            return;
        }
    };
    let levels: &[&str] = match (env("CARGO_CFG_TARGET_ARCH").as_str(), here) {
        ("x86_64", true) => best(),
        ("x86_64", false) => &["avx2", "avx512"],
        _ => &[],
    };
    for level in levels {
        println!("cargo::rustc-cfg=level_{level}");
    }
}

/// Whether the folder `…/PROFILE/build/PACKAGE/out` is one of the profile of releases.
fn is_release(out: &str) -> bool {
    let profile = std::path::Path::new(out).ancestors().nth(3).and_then(|path| path.file_name());
    profile.is_some_and(|name| name == RELEASES)
}

/// The best level of this machine beside the portable one: the same questions as in
/// src/simd/level.rs.
fn best() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        let wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        return if wide { &["avx512"] } else { &["avx2"] };
    }
    &[]
}

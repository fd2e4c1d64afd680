use std::hint::black_box;

use super::{DEFAULT, load_control, with_default_rounding};

#[test]
fn the_hosts_mode_is_set_aside_and_put_back() {
    let flush_to_zero_and_denormals_are_zero = DEFAULT | 0x8040;
    let half_of_the_smallest = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
    load_control(&flush_to_zero_and_denormals_are_zero);
    let (before, within) = (half_of_the_smallest(), with_default_rounding(half_of_the_smallest));
    let after = half_of_the_smallest();
    load_control(&DEFAULT);
    assert_eq!((before, after), (0.0, 0.0), "the host's mode flushes, before and after");
    assert!(within > 0.0, "within, nothing is flushed");
}

use super::nearest_image;

#[test]
fn the_nearest_image_is_that_of_the_rounded_quotient() {
    for side in [1.0_f64, 0.1, 3.0, 1e-30, 7e29, f64::from(0.3f32)] {
        let half = side / 2.0;
        let edges =
            [0.0, half, half.next_down(), half.next_up(), side, side.next_down(), side.next_up(), 1.5 * side, 40.3 * side];
        let between = (0..1000).map(|i| side * f64::from(i) / 400.0);
        for offset in edges.into_iter().chain(between).flat_map(|offset| [offset, -offset]) {
            let rounded = offset - side * (offset / side).round();
            assert_eq!(nearest_image(offset, side), rounded, "{offset} of {side}");
        }
    }
}

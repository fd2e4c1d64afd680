use super::{nearest_image, nearest_images, sine_cosine, whole};

#[test]
fn the_nearest_image_is_that_of_the_rounded_quotient() {
    for side in [1.0_f64, 0.1, 3.0, 1e-30, 7e29, f64::from(0.3f32)] {
        let half = side / 2.0;
        let edges = [
            0.0,
            half,
            half.next_down(),
            half.next_up(),
            side,
            side.next_down(),
            side.next_up(),
            1.5 * side,
            40.3 * side,
        ];
        let between = (0..1000).map(|i| side * f64::from(i) / 400.0);
        for offset in edges.into_iter().chain(between).flat_map(|offset| [offset, -offset]) {
            let rounded = offset - side * (offset / side).round();
            assert_eq!(nearest_image(offset, side), rounded, "{offset} of {side}");
            let mut several = [offset, offset / 3.0, half, -half];
            nearest_images(&mut several, side);
            assert_eq!(
                several,
                [offset, offset / 3.0, half, -half].map(|way| nearest_image(way, side)),
                "{offset} of {side}"
            );
        }
    }
}

#[test]
fn whole_numbers_are_those_of_casts() {
    for n in [0.0_f64, 1.0, 2.0, 31.0, 32.0, 65_535.0, 2_147_483_646.0] {
        for x in [n, n.next_up(), n + 0.25, n + 0.5, n + 0.75, (n + 1.0).next_down()] {
            assert_eq!(whole(x, true), x as u64, "{x} down");
            assert_eq!(whole(x, false), x.round_ties_even() as u64, "{x}");
        }
    }
}

/// Against a library that was written by others.
#[test]
fn sines_and_cosines_are_right_to_rounding() {
    for i in 0..=4000 {
        let turns = f64::from(i) / 4000.0;
        let (sine, cosine) = sine_cosine(turns);
        let angle = turns * std::f64::consts::TAU;
        assert!(
            (sine - libm::sin(angle)).abs() < 1e-15 && (cosine - libm::cos(angle)).abs() < 1e-15,
            "{turns}: {sine}, {cosine}"
        );
    }
    // Quarters are exact, however one looks at them.
    assert_eq!(
        [0.0, 0.25, 0.5, 0.75].map(sine_cosine),
        [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]
    );
}

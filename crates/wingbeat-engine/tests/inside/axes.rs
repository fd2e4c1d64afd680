use super::*;

fn filled(rows: usize) -> Axes<3> {
    let mut axes = Axes::new(rows);
    for (a, axis) in axes.each_mut().into_iter().enumerate() {
        axis.iter_mut().enumerate().for_each(|(i, x)| *x = (100 * a + i) as f32);
    }
    axes
}

#[test]
fn what_is_shared_never_changes() {
    let mut axes = filled(5);
    let kept = axes.share(5);
    axes.each_mut()[1][2] = -1.0;
    assert_eq!((axes[1][2], kept.axis(1)[2]), (-1.0, 102.0));
    assert_eq!(axes[2][4], 204.0, "the rest is copied");
    let again = axes.share(5);
    axes.renewed()[1][2] = -2.0;
    assert_eq!((kept.axis(1)[2], again.axis(1)[2], axes[1][2]), (102.0, -1.0, -2.0));
    axes.resize(500);
    assert_eq!(again.axis(1), [100.0, 101.0, -1.0, 103.0, 104.0]);
}

#[test]
fn memory_that_no_host_keeps_is_used_again() {
    let mut axes = filled(5);
    let place = axes.values().as_ptr();
    drop(axes.share(5));
    axes.renewed()[0][0] = 1.0;
    axes.each_mut()[0][1] = 1.0;
    assert_eq!(axes.values().as_ptr(), place);
    let kept = axes.share(5);
    assert_eq!(kept.values().as_ptr(), place, "nothing is copied to be kept");
}

#[test]
fn rows_stay_as_room_is_made() {
    let mut axes = filled(3);
    for rows in 4..200 {
        axes.resize(rows);
        assert!((0..3).all(|a| axes[a].len() == rows + PADDING));
        let last = |a: usize| (1000 * a + rows) as f32;
        axes.each_mut().into_iter().enumerate().for_each(|(a, axis)| axis[rows - 1] = last(a));
        assert!((0..3).all(|a| axes[a][..3] == [0.0, 1.0, 2.0].map(|x| x + 100.0 * a as f32)));
    }
    axes.resize(2);
    assert_eq!(axes[2].len(), 2 + PADDING);
    let mut other = Axes::<3>::new(0);
    other.copy_from(&axes);
    assert_eq!(other.each_ref(), axes.each_ref());
}

use super::*;

#[test]
fn what_boids_carry_stays_with_them() {
    let workers = Workers::<()>::new(Some(1), 512).expect("one thread");
    let mut carried = ExtraColumns::<2> {
        spent: Column::new(0.0, 3),
        mass: Column::new(7.0, 3),
        ..ExtraColumns::default()
    };
    carried.phase = Column::new(5, 3);
    for slot in 0..3 {
        carried.spent.values_mut()[slot] = slot as f32;
    }
    carried.phase.values_mut()[0] = 4;
    carried.follow(&[2, 0, 1], &workers);
    assert_eq!(
        (&carried.spent.values()[..3], &carried.mass.values()[..3]),
        (&[2.0, 0.0, 1.0][..], &[7.0; 3][..])
    );
    assert_eq!(&carried.phase.values()[..3], &[5, 4, 5]);
    carried.resize(4, 3);
    assert_eq!(
        (carried.spent.values()[3], carried.mass.values()[3], carried.phase.values()[3]),
        (0.0, 7.0, 5)
    );
    // The boid in slot 1 goes.
    carried.follow(&[0, 2, 3], &workers);
    assert_eq!(&carried.spent.values()[..3], &[2.0, 1.0, 0.0]);
    assert_eq!(carried.spent.values().len(), 3 + PADDING);
    assert!(!carried.species.in_use() && carried.species.values().is_empty());
}

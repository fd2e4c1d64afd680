use super::*;

#[test]
fn what_boids_carry_stays_with_them() {
    let workers = Workers::<()>::new(Some(1), 512).expect("one thread");
    let mut extra = ExtraColumns::<2> {
        spent: Column::new(0.0, 3),
        mass: Column::new(7.0, 3),
        ..ExtraColumns::default()
    };
    extra.phase = Column::new(5, 3);
    for slot in 0..3 {
        extra.spent.values_mut()[slot] = slot as f32;
    }
    extra.phase.values_mut()[0] = 4;
    let mut spare = Spare::default();
    let mut follow =
        |extra: &mut ExtraColumns<2>, order: &[u32]| extra.reorder(&mut spare, order, &workers);
    follow(&mut extra, &[2, 0, 1]);
    assert_eq!(
        (&extra.spent.values()[..3], &extra.mass.values()[..3]),
        (&[2.0, 0.0, 1.0][..], &[7.0; 3][..])
    );
    assert_eq!(&extra.phase.values()[..3], &[5, 4, 5]);
    extra.each_mut(&mut |_, column| column.resize(4, 3));
    assert_eq!(
        (extra.spent.values()[3], extra.mass.values()[3], extra.phase.values()[3]),
        (0.0, 7.0, 5)
    );
    // The boid in slot 1 goes.
    follow(&mut extra, &[0, 2, 3]);
    assert_eq!(&extra.spent.values()[..3], &[2.0, 1.0, 0.0]);
    assert_eq!(extra.spent.values().len(), 3 + PADDING);
    assert!(!extra.species.in_use() && extra.species.values().is_empty());
}

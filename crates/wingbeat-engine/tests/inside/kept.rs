use super::*;

#[test]
fn places_come_by_ascending_slot() {
    // Places in reverse, near each other and too far apart for the bits.
    for (count, stride) in [(1, 1), (7, 1), (200, 13), (300, 871), (300, 1601)] {
        let slots = count * stride;
        let mut fine = SubcellOrder::<2>::default();
        fine.slot = (0..slots).rev().collect();
        fine.place = (0..slots).rev().collect();
        let mut list: Vec<u32> = (0..count).map(|i| (i * 7919 % count) * stride).collect();
        let mut sorted = list.clone();
        sorted.sort_unstable_by_key(|&place| fine.slot[place as usize]);
        let mut order = Box::new(Order::new());
        // Twice, since what was used is used again.
        for _ in 0..2 {
            order.by_slot(&fine, &mut list);
            assert_eq!(list, sorted, "{count} of {slots} slots");
            list.reverse();
        }
    }
}

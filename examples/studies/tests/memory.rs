//! What docs/LITERATURE.md says of a school's memory holds for a seed it was not measured with.
#![forbid(unsafe_code)]

use wingbeat_studies::memory::group;

#[test]
fn a_school_goes_from_swarm_to_torus_to_parallel_and_remembers() {
    let phases = group(&[0.0, 2.5, 4.0, 2.5], 3000, 1000).expect("valid widths");
    let [swarm, torus, parallel, back] = phases[..] else { panic!("four widths") };
    assert!(swarm.polarization < 0.4 && swarm.milling < 0.4, "swarm: {swarm:?}");
    assert!(torus.milling > 0.6 && torus.polarization < 0.5, "torus: {torus:?}");
    assert!(parallel.polarization > 0.95, "parallel: {parallel:?}");
    assert!(
        back.polarization > 0.8 && back.milling < 0.3,
        "the torus does not come back: {back:?}"
    );
}

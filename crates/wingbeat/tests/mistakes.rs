//! Mistakes that are usually made first, and what the compiler says to them: a type or a method to
//! go on with. By night only, because it compiles the engine in a project of its own:
//! `WINGBEAT_FULL=1 cargo test -p wingbeat --test mistakes`, with `TRYBUILD=overwrite` to write the
//! answers anew.

use wingbeat_test_support::tier;

#[test]
fn the_compiler_leads_on() {
    if !tier::full() {
        println!("skipped: it compiles the engine once more; WINGBEAT_FULL=1 runs it");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}

//! Mistakes that are usually made first, and what the compiler says to them: a type or a method to
//! go on with. `TRYBUILD=overwrite cargo test -p wingbeat --test mistakes` writes the answers anew.

#[test]
fn the_compiler_leads_on() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}

//! Arrays made by a loop.

/// `[one(0), one(1), …]`, as `std::array::from_fn`, which is ten times as much for LLVM to read
/// for each closure there is.
#[inline(always)]
pub(crate) fn from_fn<T: Copy + Default, const N: usize>(
    mut one: impl FnMut(usize) -> T,
) -> [T; N] {
    let mut all = [T::default(); N];
    let mut i = 0;
    while i < N {
        all[i] = one(i);
        i += 1;
    }
    all
}

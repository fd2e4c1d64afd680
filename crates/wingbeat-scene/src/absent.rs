//! A type without values, for the dimension that a build leaves out (dimension.rs).

/// In place of a `T` that was left out: none can be made, so that what is done with one is never
/// compiled.
#[derive(Clone)]
pub struct Absent<T> {
    never: std::convert::Infallible,
    of: std::marker::PhantomData<T>,
}

impl<T> std::ops::Deref for Absent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self.never {}
    }
}

impl<T> std::ops::DerefMut for Absent<T> {
    fn deref_mut(&mut self) -> &mut T {
        match self.never {}
    }
}

//! Positions or velocities that a host keeps while the flock steps on.

use std::sync::Arc;

/// Positions or velocities of all boids at one moment, in slot order: one piece of memory, an axis
/// after the other.
///
/// ```text
/// values   x₀ x₁ x₂ … padding … y₀ y₁ y₂ … padding …
///          component a of slot i is values()[a·stride() + i]
/// ```
///
/// A host gets it without copying ([`Frame::shared_positions`](crate::Frame::shared_positions)) and
/// may keep it as long as it likes: what is in it never changes. While it is kept, the flock writes
/// its next state elsewhere; that costs the flock one allocation a step.
///
/// ```
/// use wingbeat::{Flock2, TimeStep};
/// let mut flock = Flock2::builder().boids(&[[1.0, 2.0], [3.0, 4.0]], &[[1.0, 0.0]; 2]).build()?;
/// let before = flock.frame().shared_positions();
/// flock.step(TimeStep::new(0.5)?);
/// assert_eq!((before.axis(0), before.axis(1)), (&[1.0, 3.0][..], &[2.0, 4.0][..]));
/// assert_eq!(before.values()[before.stride()], 2.0);
/// assert_ne!(before.axis(0), flock.frame().positions(0));
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorColumns {
    values: Arc<[f32]>,
    stride: usize,
    len: usize,
    dimensions: usize,
}

impl VectorColumns {
    pub(crate) fn new(values: Arc<[f32]>, stride: usize, len: usize, dimensions: usize) -> Self {
        Self { values, stride, len, dimensions }
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no boid.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Components along `axis`, in slot order.
    ///
    /// # Panics
    /// If `axis` is not below the number of [dimensions](Self::dimensions).
    pub fn axis(&self, axis: usize) -> &[f32] {
        assert!(axis < self.dimensions, "axis {axis} of {}", self.dimensions);
        &self.values[axis * self.stride..][..self.len]
    }

    /// All axes, with what lies between them.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Numbers from one component of a boid to its next.
    pub fn stride(&self) -> usize {
        self.stride
    }
}

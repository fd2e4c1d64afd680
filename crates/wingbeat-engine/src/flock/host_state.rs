//! The state of a host's own rules and drives.

/// What a host's own rules and drives remember from step to step. A flock that is given it
/// ([`FlockBuilder::host_memory`](crate::FlockBuilder::host_memory)) takes it along into every
/// [`Checkpoint`](crate::snapshot::Checkpoint) and [`Snapshot`](crate::snapshot::Snapshot) state,
/// so that what depends on it goes on in the same bits too. Flocks whose own rules and drives
/// depend on their boids, the step and the time alone need none.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use wingbeat::{Flock2, snapshot::{HostState, Snapshot}};
///
/// /// A drive of the host's own reads this.
/// struct Tide(AtomicU64);
///
/// impl HostState for Tide {
///     fn save(&self, to: &mut Vec<u8>) {
///         to.extend(self.0.load(Ordering::Relaxed).to_le_bytes());
///     }
///     fn load(&self, from: &[u8]) -> Result<(), String> {
///         let bytes = from.try_into().map_err(|_| format!("{} bytes: allowed is 8", from.len()))?;
///         self.0.store(u64::from_le_bytes(bytes), Ordering::Relaxed);
///         Ok(())
///     }
/// }
///
/// let tide = Arc::new(Tide(3.into()));
/// let mut flock = Flock2::builder().host_memory(tide.clone()).build()?;
/// let mut saved = Snapshot::default();
/// flock.save(&mut saved);
/// tide.0.store(9, Ordering::Relaxed);
/// flock.load(&saved)?;
/// assert_eq!(tide.0.load(Ordering::Relaxed), 3);
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
pub trait HostState: Send + Sync {
    /// Appends what is remembered to these bytes.
    fn save(&self, to: &mut Vec<u8>);

    /// Takes what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// When the bytes are none that it wrote: says what is wrong with them. It must not have
    /// changed anything then.
    fn load(&self, from: &[u8]) -> Result<(), String>;
}

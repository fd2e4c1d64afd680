//! Extra columns: what boids have beside position and velocity. They lie in slot order like those
//! and travel with them through sorts, arrivals and removals.
//!
//! A column is declared in one line below. Whatever is done to all columns (sort, resize, hash,
//! checkpoints, messages between subdomains) goes through [`ExtraColumns::each`] and its likes, and
//! so reaches it.

use wingbeat_steer::Params;

use crate::columns::column::AnyColumn;
pub(crate) use crate::columns::column::{Column, PADDING, Spare};
use crate::parallel::Workers;

/// Marks the phase of a boid that has not steered yet. Phases are below 1000.
pub(super) const NEW: u32 = 1 << 31;

/// What decides whether a column is in use. For [`bytes_a_boid`](crate::memory::bytes_a_boid) it
/// says under which parameters it takes room.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    /// The parameters.
    Params(fn(&Params) -> bool),
    /// Boids, once one has a value of its own.
    Own(fn(&Params) -> bool),
    /// Drives, or whether boids take turns.
    Other,
}

/// What is known of a column beside its values.
#[derive(Clone, Copy)]
pub(crate) struct Info {
    /// Its name in a [`StateRecord`](crate::snapshot::StateRecord).
    pub name: &'static str,
    /// Its place there, and in the hash, where whole numbers come after all others.
    pub place: u32,
    pub used: Use,
    /// Whether ghosts have it.
    pub is_seen: bool,
}

impl Info {
    fn new(name: &'static str, place: u32, used: Use) -> Self {
        Self { name, place, used, is_seen: false }
    }

    fn seen(self) -> Self {
        Self { is_seen: true, ..self }
    }
}

/// A struct of columns, each with its usual value and its [`Info`], and walks over all of them.
macro_rules! columns {
    ($(#[$about:meta])* $name:ident<$d:ident> {
        $($(#[$doc:meta])* $field:ident: $type:ty = $unused:expr, $info:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name<const $d: usize> {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl<const $d: usize> Default for $name<$d> {
            fn default() -> Self {
                Self { $($field: $unused,)* }
            }
        }

        impl<const $d: usize> $name<$d> {
            /// All columns, in use or not, in the order of their declaration.
            pub fn each<'a>(&'a self, work: &mut dyn FnMut(Info, &'a dyn AnyColumn)) {
                $(for column in AsRef::<[Column<_>]>::as_ref(&self.$field) {
                    work($info, column);
                })*
            }

            /// The same, to write.
            pub fn each_mut(&mut self, work: &mut dyn FnMut(Info, &mut dyn AnyColumn)) {
                $(for column in AsMut::<[Column<_>]>::as_mut(&mut self.$field) {
                    work($info, column);
                })*
            }

            /// Takes all along to where a sort has put their boids.
            pub fn reorder<T: Default + Send>(
                &mut self,
                spare: &mut Spare,
                order: &[u32],
                workers: &Workers<T>,
            ) {
                $(for column in AsMut::<[Column<_>]>::as_mut(&mut self.$field) {
                    column.reorder(spare, order, workers);
                })*
            }

            /// Copies the columns of another that has as many, in the room that is there; values
            /// that are not in use are left out.
            pub fn copy_from(&mut self, from: &Self) {
                $(for (to, from) in AsMut::<[Column<_>]>::as_mut(&mut self.$field)
                    .iter_mut()
                    .zip(AsRef::<[Column<_>]>::as_ref(&from.$field))
                {
                    to.copy_from(from);
                })*
            }
        }
    };
}

columns! {
    /// What boids carry, and kernels read.
    ExtraColumns<D> {
        /// Place of a boid's species among those of the parameters.
        species: Column<u32> = Column::unused(0),
            Info::new("species", 0, Use::Params(|params| !params.species.is_empty())).seen();
        /// Stamina spent, and 1 for a boid that rests.
        spent: Column<f32> = Column::unused(0.0), Info::new("spent", 5, Use::Params(tires));
        resting: Column<u32> = Column::unused(0), Info::new("resting", 1, Use::Params(tires));
        /// Own maximum speeds and masses, NaN for boids without. In use once a boid has either.
        max_speed: Column<f32> = Column::unused(f32::NAN),
            Info::new("max_speed", 6, Use::Own(differ));
        mass: Column<f32> = Column::unused(f32::NAN), Info::new("mass", 7, Use::Own(differ));
        /// Own radii of bodies, NaN for boids without.
        radius: Column<f32> = Column::unused(f32::NAN),
            Info::new("radius", 8, Use::Own(|params| params.body.is_some())).seen();
        /// Own goals, NaN for boids without. They take room where there are drives.
        goals: [Column<f32>; D] = [const { Column::unused(f32::NAN) }; D],
            Info::new("goal", 9, Use::Own(|_| false));
        /// What boids remember of drives, each drive's columns one after the other.
        memories: Vec<Column<f32>> = Vec::new(), Info::new("drive", 10, Use::Other);
        /// When a boid steers (slices.rs), where not all steer in every step.
        phase: Column<u32> = Column::unused(NEW), Info::new("phase", 4, Use::Other);
    }
}

columns! {
    /// What steering and moving write.
    Outcome<D> {
        /// The combined force (or direction) of every slot, once the flock has steered. In use
        /// where boids hold it until their next turn.
        force: [Column<f32>; D] = [const { Column::unused(0.0) }; D],
            Info::new("held", 11, Use::Other);
        /// 1 for boids that have fled, pursued or evaded a boid when it last looked.
        busy: Column<u32> = Column::unused(0), Info::new("busy", 2, Use::Params(chase));
        /// Bits of how blocked boids are that anticipate.
        blocked: Column<u32> = Column::unused(0),
            Info::new("blocked", 3, Use::Params(|params| params.anticipation.is_some()));
        /// 1 for boids that an obstacle overlaps after the move. In use from then until it is told.
        squeezed: Column<u32> = Column::unused(0), Info::new("squeezed", 12, Use::Other);
    }
}

fn tires(params: &Params) -> bool {
    params.species.iter().any(|species| species.stamina.is_some())
}

fn differ(params: &Params) -> bool {
    !params.species.is_empty() || params.limits_differ()
}

pub(crate) fn chase(params: &Params) -> bool {
    params.interactions.iter().any(|interaction| interaction.kind.chases())
}

impl<const D: usize> ExtraColumns<D> {
    /// Has those in use, of the columns of boids' own values, for which something holds: of what a
    /// column is, and whether it is in use already.
    pub fn use_own(&mut self, wanted: &dyn Fn(Info, bool) -> bool, slots: usize) {
        self.each_mut(&mut |info, column| {
            if matches!(info.used, Use::Own(_)) {
                column.be_used(wanted(info, column.in_use()), slots);
            }
        });
    }
}

impl<const D: usize> Outcome<D> {
    /// Room for the forces of so many slots.
    pub fn make_room(&mut self, slots: usize) {
        self.force.iter_mut().for_each(|column| column.make_room(slots));
    }
}

/// How many columns take room under these parameters.
pub(crate) fn count<const D: usize>(params: &Params) -> usize {
    let mut count = 0;
    let mut add = |info: Info, _: &dyn AnyColumn| {
        if let Use::Params(takes_room) | Use::Own(takes_room) = info.used {
            count += usize::from(takes_room(params));
        }
    };
    ExtraColumns::<D>::default().each(&mut add);
    Outcome::<D>::default().each(&mut add);
    count
}

/// All columns that are in use, by place.
pub(crate) fn listed<'a, const D: usize>(
    extra: &'a ExtraColumns<D>,
    outcome: &'a Outcome<D>,
) -> Vec<(Info, &'a dyn AnyColumn)> {
    let mut columns = Vec::new();
    extra.each(&mut |info, column| columns.push((info, column)));
    outcome.each(&mut |info, column| columns.push((info, column)));
    columns.retain(|(_, column)| column.in_use());
    columns.sort_by_key(|(info, _)| info.place);
    columns
}

#[cfg(test)]
#[path = "../../tests/inside/carried.rs"]
mod tests;

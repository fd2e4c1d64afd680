//! Instantiations: what users of the textbook and of obstacles call is compiled here, for arrays of
//! two numbers and of three.
//!
//! So a program that uses them links them instead of compiling them again. Other vectors (glam's)
//! are compiled by the crate that uses them.
#![forbid(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;

use crate::obstacle::ObstacleBoxes;
use crate::placement::occupied::OccupiedPlaces;
use crate::placement::start::Start;
use crate::{Drive, ObstacleSet, Obstacles, TextbookFlock, step_sequentially};

macro_rules! instantiations {
    ($name:ident, $d:literal) => {
        /// Never called: to name a function is to have it compiled.
        #[doc(hidden)]
        pub fn $name() -> Vec<*const ()> {
            vec![
                TextbookFlock::<[f32; $d]>::check as *const (),
                TextbookFlock::<[f32; $d]>::slot_order as *const (),
                TextbookFlock::<[f32; $d]>::step_by as *const (),
                TextbookFlock::<[f32; $d]>::step_in_order as *const (),
                TextbookFlock::<[f32; $d]>::step_holding as *const (),
                TextbookFlock::<[f32; $d]>::steering as *const (),
                TextbookFlock::<[f32; $d]>::terms as *const (),
                TextbookFlock::<[f32; $d]>::explain as *const (),
                TextbookFlock::<[f32; $d]>::explain_in as *const (),
                Start::<[f32; $d]>::check as *const (),
                Start::<[f32; $d]>::settle as *const (),
                Obstacles::<[f32; $d]>::check as *const (),
                ObstacleSet::<[f32; $d]>::new as *const (),
                ObstacleSet::<[f32; $d]>::set_pose as *const (),
                ObstacleSet::<[f32; $d]>::move_to as *const (),
                ObstacleSet::<[f32; $d]>::begin_step as *const (),
                ObstacleSet::<[f32; $d]>::end_step as *const (),
                ObstacleBoxes::<[f32; $d]>::new as *const (),
                ObstacleBoxes::<[f32; $d]>::looks as *const (),
                ObstacleBoxes::<[f32; $d]>::holder as *const (),
                ObstacleBoxes::<[f32; $d]>::holds as *const (),
                ObstacleBoxes::<[f32; $d]>::is_near as *const (),
                ObstacleBoxes::<[f32; $d]>::flow_field as *const (),
                ObstacleBoxes::<[f32; $d]>::nodes_inside as *const (),
                ObstacleBoxes::<[f32; $d]>::is_free as *const (),
                ObstacleBoxes::<[f32; $d]>::is_lost as *const (),
                ObstacleBoxes::<[f32; $d]>::list_boxes as *const (),
                OccupiedPlaces::<[f32; $d]>::new as *const (),
                OccupiedPlaces::<[f32; $d]>::take as *const (),
                OccupiedPlaces::<[f32; $d]>::has_room as *const (),
                Drive::<[f32; $d]>::check as *const (),
                step_sequentially::<[f32; $d]> as *const (),
            ]
        }
    };
}
instantiations!(instantiations_2, 2);
instantiations!(instantiations_3, 3);

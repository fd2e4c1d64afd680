//! Tests of wingbeat-steer: one program, a file a subject.

mod anticipation;
mod anticipation_orca;
mod behaviors;
mod bodies_at_start;
mod bodies_by_hand;
mod chases;
mod combinations_by_hand;
mod definitions;
mod drives_by_hand;
mod drives_in_time;
mod flat_shapes;
mod frame_rate;
mod gates_by_hand;
mod gates_in_time;
mod hunter_and_prey;
mod known_answers;
mod mean_velocity;
mod models_by_hand;
mod no_allocation;
mod obstacles;
mod other_tools;
mod properties;
mod rejects_bad_input;
mod sequential_update;
#[cfg(feature = "serde")]
mod serial;
mod source_numbers;
mod species_by_hand;
mod textbook_by_hand;

//! Sets of systems, and the order in which they run.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};

use crate::components::Requests;
use crate::settings::FlockSettings;
use crate::{
    Arrived, Captured, Entered, Exited, Flock, Left, Refused, Squeezed, Teleport, changes, follow,
    step,
};

/// Lets entities be boids: one step of the [`Flock`] in every run of `FixedUpdate`, transforms that
/// follow, messages of what happens.
///
/// Add `TimePlugin` and `TransformPlugin` beside it; `DefaultPlugins` and `MinimalPlugins` (with
/// `TransformPlugin`) have them. The flock can be inserted at any time.
#[derive(Clone, Copy, Debug, Default)]
pub struct WingbeatPlugin {
    /// What the app starts with; the resource can be changed at any time.
    pub settings: FlockSettings,
}

/// The systems of the plugin, to order others around. The first five run in `FixedUpdate`, one
/// after the other; `Follow` runs in `RunFixedMainLoop` after all steps of the frame, so that
/// `Update` sees transforms as they are.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WingbeatSystems {
    /// What entities ask for reaches the flock: removals, newcomers in the order in which they were
    /// spawned, species, goals, obstacles, teleports. What systems before it spawn or change counts
    /// in this step.
    Changes,
    /// The step.
    Step,
    /// Entities for boids that have come from sources.
    Arrivals,
    /// Messages of what happened. A boid that has left still has an entity.
    Events,
    /// The end of those that have left.
    Departures,
    /// Transforms follow.
    Follow,
}

impl Plugin for WingbeatPlugin {
    fn build(&self, app: &mut App) {
        use WingbeatSystems::{Arrivals, Changes, Departures, Events, Follow, Step};
        app.insert_resource(self.settings)
            .init_resource::<Requests>()
            .add_message::<Captured>()
            .add_message::<Arrived>()
            .add_message::<Exited>()
            .add_message::<Squeezed>()
            .add_message::<Left>()
            .add_message::<Entered>()
            .add_message::<Refused>()
            .add_message::<Teleport>();
        app.configure_sets(
            FixedUpdate,
            (Changes, Step, Arrivals, Events, Departures)
                .chain()
                .distributive_run_if(resource_exists::<Flock>),
        )
        .configure_sets(
            RunFixedMainLoop,
            Follow.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
        let before_steps =
            (step::refresh, keep_time).chain().in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop);
        app.add_systems(
            RunFixedMainLoop,
            (before_steps, follow::follow.in_set(Follow))
                .distributive_run_if(resource_exists::<Flock>),
        )
        .add_systems(
            FixedUpdate,
            (
                (
                    step::refresh,
                    changes::come_and_go,
                    changes::species,
                    changes::goals,
                    changes::obstacles,
                    changes::teleports,
                )
                    .chain()
                    .in_set(Changes),
                step::step.in_set(Step),
                step::arrivals.in_set(Arrivals),
                step::events.in_set(Events),
                step::departures.in_set(Departures),
            ),
        );
    }
}

/// The app's fixed step is as long as one of the scene.
fn keep_time(flock: Res<Flock>, settings: Res<FlockSettings>, mut time: ResMut<Time<Fixed>>) {
    let dt = f64::from(flock.live().scene().scene().dt().get());
    let wanted =
        settings.speed.and_then(|speed| std::time::Duration::try_from_secs_f64(dt / speed).ok());
    if let Some(timestep) =
        wanted.filter(|timestep| !timestep.is_zero() && *timestep != time.timestep())
    {
        time.set_timestep(timestep);
    }
}

//! Species: what they inherit, where they start, and whose a file's boids are.

use wingbeat::{BoidId, Flock};
use wingbeat_scene::{AnyFlock, Machine, Override, Scene, SettingValue};

const ROOM: &str = "[flock]\ndimensions = 2\n[domain]\nkind = \"walled\"\nmin = [0, 0]\nmax = [20, 10]\n";

fn scene(tables: &str) -> Result<Scene, String> {
    Scene::parse("room.toml", &format!("{ROOM}{tables}"), &[]).map_err(|refusal| refusal.to_string())
}

fn built(scene: &Scene) -> Result<Flock<2>, String> {
    match scene.build(&Machine::default()).map_err(|refusal| refusal.to_string())?.flock {
        AnyFlock::Two(flock) => Ok(flock),
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

#[test]
fn limits_that_a_species_does_not_give_are_those_of_agent() {
    let text = "[agent]\nmax_speed = 5\nmass = 3\n[species.hare]\ncount = 1\n[species.fox]\ncount = 1\n[species.fox.agent]\n\
                max_speed = 7\n";
    let scene = scene(text).expect("a scene");
    let limits = |place: usize| scene.params().species[place].agent;
    assert_eq!((limits(0).max_speed, limits(0).mass, limits(0).max_force), (5.0, 3.0, wingbeat::AgentLimits::default().max_force));
    assert_eq!((limits(1).max_speed, limits(1).mass), (7.0, 3.0));
    assert_eq!(scene.params().agent, wingbeat::AgentLimits::default(), "the flock has none of its own");
    let value = |name: &str| scene.settings().into_iter().find(|setting| setting.name == name).and_then(|setting| setting.value);
    assert_eq!(value("species.hare.agent.max_speed"), Some(SettingValue::Number(5.0)));
    assert_eq!(value("species.fox.agent.max_speed"), Some(SettingValue::Number(7.0)));
    assert_eq!(value("agent.max_speed"), Some(SettingValue::Number(5.0)), "still a setting: the hares go by it");
    assert_eq!(value("agent.max_force"), None, "not given, and every species has its own");
    // The same species written out is the same scene.
    let out = "[species.hare]\ncount = 1\n[species.hare.agent]\nmax_speed = 5\nmass = 3\n[species.fox]\ncount = 1\n\
               [species.fox.agent]\nmax_speed = 7\nmass = 3\n";
    assert_eq!(self::scene(out).expect("a scene").params(), scene.params());
}

#[test]
fn what_is_inherited_is_refused_where_it_was_given() {
    let refusal = scene("[agent]\nmin_speed = 9\n[species.hare]\ncount = 1\n").unwrap_err();
    assert!(refusal.starts_with("room.toml:8: species.hare.agent.min_speed = 9: allowed is at most agent.max_speed (2)"), "{refusal}");
}

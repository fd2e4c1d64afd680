// What a page plays: the recording in it, from any moment of which its own engine can fly on; or a
// scene, which takes off at once.
Wingbeat.playRecording = (page) => {
  const source = Wingbeat.replaySource(page);
  const engine = Wingbeat.engine(page, source.scene);
  const status = document.getElementById("status");
  let [player, flight, shownAt] = [null, null, 0];

  window.engine = engine;
  if (engine) {
    // The recorded run is on its way to the moment from which the flock is to take off.
    engine.onprogress = ({ step, wanted }) =>
      flight && (source.working = `The engine is at step ${step} of ${wanted} …`);
    source.explainedBy = engine;
    source.invites = true;
    const { name, toml, domain } = source.scene;
    engine.world({ name, toml, domain }).then((obstacles) => {
      if (obstacles) source.obstacles = obstacles;
      player?.redraw();
    }, () => {});
    source.takeOver = async (play = true) => {
      if (flight) return;
      shownAt = player.state.now;
      flight = Wingbeat.flight(engine.connect, {
        world: engine.world,
        before: player,
        goBack,
        began: (other) => (player = other),
      });
      try {
        await engine.takeOff({ step: player.stepShown(), play });
        source.working = null;
      } catch (error) {
        flight = null;
        source.working = null;
        status.hidden = false;
        status.textContent = `The flock cannot take off: ${error.message}`;
      }
    };
  }
  const goBack = () => {
    engine.land();
    player = flight.stop();
    flight = null;
    player = Wingbeat.start(source, player, { now: shownAt });
  };
  player = Wingbeat.start(source);
  return player;
};

// Milliseconds: long enough for a flock to form, and short enough to be waited for.
Wingbeat.WARM_UP = 700;

Wingbeat.playScene = (page) => {
  const scene = JSON.parse(page.getElementById("scene").textContent);
  const engine = Wingbeat.engine(page, scene);
  const status = document.getElementById("status");
  const say = (text) => {
    status.hidden = false;
    status.textContent = text;
  };
  window.engine = engine;
  if (!engine) return say("This page runs a flock by itself: it needs WebAssembly and workers.");
  Wingbeat.flight(engine.connect, { world: engine.world });
  engine
    .takeOff({ within: Wingbeat.WARM_UP, most: scene.warm_up })
    .catch((error) => say(`The flock cannot take off: ${error.message}`));
  return engine;
};

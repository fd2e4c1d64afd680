// A flock that flies, in the player with its panel: behind the live view's server, or in the page's
// own engine. `connect` is Wingbeat.connectServer or an engine's; `world` gives the obstacles of a
// scene, if the page can; `before` is the player that goes on with it, and `goBack` leads back to
// what that played.
Wingbeat.flight = (
  connect,
  { world = null, before = null, goBack = null, began = () => {} } = {},
) => {
  let [state, source, player, panel, stale, over] = [null, null, before, null, false, false];
  const showStatus = (text) => {
    const status = document.getElementById("status");
    status.hidden = text === null;
    status.textContent = text ?? "";
  };

  // What the player is laid out for. When any of it changes, another player goes on.
  const shapeOf = ({ scene, dimensions, bounds, periodic, species, lesson, places }) =>
    JSON.stringify([
      scene, dimensions, bounds, periodic, species, lesson.title, places.map(({ name }) => name),
    ]);
  let shape = null;

  const begin = (frame) => {
    const kept = panel?.left();
    const was = source?.bounds;
    player?.stop();
    panel?.remove();
    shape = shapeOf(state);
    stale = false;
    source = Wingbeat.live(connection, state, frame, { goBack });
    player = Wingbeat.start(source, player);
    if (!player) return;
    panel = Wingbeat.panel(connection, source, player, kept);
    // Another world is shown whole.
    if (was && JSON.stringify(was) !== JSON.stringify(source.bounds)) player.home();
    began(player);
    update();
  };

  let [asked, obstaclesOf] = [0, null];
  // The obstacles follow the scene as tuned.
  const observeWorld = async () => {
    const own = state.controls.filter(({ key }) => /^(obstacle|floor)\./.test(key));
    const key = JSON.stringify([own.map(({ value }) => value), state.domain]);
    if (!world || key === obstaclesOf) return;
    obstaclesOf = key;
    const question = ++asked;
    const { scene: name, domain } = state;
    // What cannot be asked for stays as it is.
    const ask = async () => world({ name, toml: await connection.toml(), domain });
    const found = own.length === 0 ? null : await ask().catch(() => source.obstacles);
    if (question === asked && source) {
      source.obstacles = found ?? (() => null);
      player?.redraw();
    }
  };

  const update = () => {
    if (!panel || over) return;
    // A frame of the flock as it is now comes with the next drawing.
    if (shapeOf(state) !== shape) stale = true;
    if (stale) return;
    source.still = state.paused;
    [source.radii, source.places] = [state.radii, state.places];
    player?.redraw();
    if (player) player.state.playing = !state.paused;
    panel.show(state);
    observeWorld();
  };

  const connection = connect({
    state(message) {
      state = message;
      update();
    },
    frame(frame) {
      if (over) return;
      if (!state) throw new Error("a frame before the first state");
      if (!source || (stale && frame.run === state.run)) {
        obstaclesOf = null;
        begin(frame);
      } else if (!stale) {
        source.take(frame);
      }
      const drift = source.drift();
      if (drift && player && !player.state.following)
        player.camera.target = Wingbeat.vec.add(player.camera.target, drift);
      // One frame for each picture drawn: a hidden page asks for none.
      requestAnimationFrame(() => connection.next());
    },
    end() {
      if (source) source.end();
      else showStatus("The view has ended, or does not know this page.");
    },
  });
  if (!before) showStatus("Waiting for the engine …");

  return {
    connection,
    // Ends it; the player is left for what follows.
    stop() {
      over = true;
      panel?.remove();
      player?.stop();
      return player;
    },
  };
};

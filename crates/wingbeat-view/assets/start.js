// Connects, and starts the player when the first state and the first frame have come.
(() => {
  let [state, source, player, panel] = [null, null, null, null];
  const status = document.getElementById("status");
  const showStatus = (text) => {
    status.hidden = text === null;
    status.textContent = text ?? "";
  };
  showStatus("Waiting for the engine …");

  // What the player is laid out for. When any of it changes, the page is loaded again.
  const shapeOf = ({ dimensions, bounds, periodic, boids }) => JSON.stringify([dimensions, bounds, periodic, boids]);
  let shape = null;

  const begin = (frame) => {
    shape = shapeOf(state);
    source = Wingbeat.live(connection, state, frame);
    player = Wingbeat.start(source);
    panel = Wingbeat.panel(connection, source, player);
    update();
    restore();
  };

  // Loads the page again; theme and unfolded groups stay as they are.
  const reload = () => {
    if (player) sessionStorage.setItem("wingbeat", JSON.stringify({ dark: player.look.dark, unfolded: panel.unfolded() }));
    location.reload();
  };
  const restore = () => {
    const { dark, unfolded } = JSON.parse(sessionStorage.getItem("wingbeat") ?? "{}");
    sessionStorage.removeItem("wingbeat");
    if (player && dark !== undefined && dark !== player.look.dark) document.getElementById("theme").click();
    if (unfolded) panel.unfold(unfolded);
  };

  const update = () => {
    if (!panel) return;
    if (shapeOf(state) !== shape) return reload();
    source.still = state.paused;
    if (player) player.state.playing = !state.paused;
    panel.show(state);
  };

  const connection = Wingbeat.connect({
    state(message) {
      state = message;
      update();
    },
    frame(frame) {
      if (!state) throw new Error("a frame before the first state");
      if (source) source.take(frame);
      else begin(frame);
      const drift = source.drift();
      if (drift && player && !player.state.following) player.camera.target = Wingbeat.vec.add(player.camera.target, drift);
      // One frame for each picture drawn: a hidden page asks for none.
      requestAnimationFrame(() => connection.next());
    },
    end() {
      if (source) source.end();
      else showStatus("The view has ended, or does not know this page.");
    },
  });
})();

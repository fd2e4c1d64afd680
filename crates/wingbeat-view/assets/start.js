// Connects; when the first state and the first frame are here, plays.
(() => {
  let [state, source, player, panel] = [null, null, null, null];
  const status = document.getElementById("status");
  const say = (text) => {
    status.hidden = text === null;
    status.textContent = text ?? "";
  };
  say("Waiting for the engine …");

  // What the player is made for. Another box, another number: another page.
  const mold = ({ dimensions, bounds, periodic, boids }) => JSON.stringify([dimensions, bounds, periodic, boids]);
  let made = null;

  const begin = (frame) => {
    made = mold(state);
    source = Wingbeat.live(line, state, frame);
    player = Wingbeat.start(source);
    panel = Wingbeat.panel(line, source, player);
    show();
    resume();
  };

  // Another page, but as light or dark as this one, and with the same groups unfolded.
  const renew = () => {
    if (player) sessionStorage.setItem("wingbeat", JSON.stringify({ dark: player.look.dark, unfolded: panel.unfolded() }));
    location.reload();
  };
  const resume = () => {
    const { dark, unfolded } = JSON.parse(sessionStorage.getItem("wingbeat") ?? "{}");
    sessionStorage.removeItem("wingbeat");
    if (player && dark !== undefined && dark !== player.look.dark) document.getElementById("theme").click();
    if (unfolded) panel.unfold(unfolded);
  };

  const show = () => {
    if (!panel) return;
    if (mold(state) !== made) return renew();
    source.still = state.paused;
    if (player) player.state.playing = !state.paused;
    panel.show(state);
  };

  const line = Wingbeat.connect({
    state(message) {
      state = message;
      show();
    },
    frame(frame) {
      if (!state) throw new Error("a frame before the first state");
      if (source) source.take(frame);
      else begin(frame);
      const drift = source.drift();
      if (drift && player && !player.state.following) player.camera.target = Wingbeat.vec.add(player.camera.target, drift);
      // One a picture: a page that nobody looks at takes none.
      requestAnimationFrame(() => line.next());
    },
    end() {
      if (source) source.end();
      else say("The view has ended, or does not know this page.");
    },
  });
})();

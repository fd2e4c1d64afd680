// A running engine as a source for the player: the latest frames, and explanations by the engine itself.
Wingbeat.live = (line, state, first) => {
  const KEEP = 40;
  const KEEP_BYTES = 64e6;
  const CHARTED = 2400;
  const frames = new Map();
  const { dimensions } = state;
  const wide = (corner) => [corner[0], corner[1], corner[2] ?? 0];
  const box = state.bounds && { min: wide(state.bounds[0]), max: wide(state.bounds[1]) };
  let [run, failure, told, flight] = [first.run, null, null, null];

  // Where the boids of a frame are.
  const extent = (frame) => {
    const [min, max, sum] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity], [0, 0, 0]];
    for (let i = 0; i < frame.position.length; i++) {
      const x = frame.position[i];
      const a = i % 3;
      if (x < min[a]) min[a] = x;
      if (x > max[a]) max[a] = x;
      sum[a] += x;
    }
    const n = Math.max(1, frame.ids.length);
    return frame.ids.length === 0 ? { min: [0, 0, 0], max: [1, 1, 1], middle: [0, 0, 0] } : { min, max, middle: sum.map((x) => x / n) };
  };

  // The slowest and the fastest of a few hundred, and somewhat beyond.
  const speedsOf = ({ velocity, ids }) => {
    const stride = Math.max(1, Math.floor(ids.length / 500));
    const speeds = [];
    for (let i = 0; i < ids.length; i += stride) speeds.push(Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]));
    speeds.sort((a, b) => a - b);
    const at = (share) => speeds[Math.floor(share * (speeds.length - 1))] ?? 0;
    return [at(0.02), at(0.98) + 1e-9];
  };

  const start = extent(first);
  // In open space the box drawn first is the flock's, with room to move.
  const air = (low, high) => low.map((x, a) => (high[a] - x) * 0.25 + (a < dimensions ? 1e-3 : 0));
  const margin = air(start.min, start.max);
  const bounds = box ?? { min: start.min.map((x, a) => x - margin[a]), max: start.max.map((x, a) => x + margin[a]) };
  let middle = start.middle;

  const observables = () => ({ time: [], names: ["polarization", "milling", "mean_speed"], values: [[], [], []] });
  const chart = (frame) => {
    const { time, values } = source.observables;
    time.push(frame.time);
    frame.observed.forEach((value, k) => values[k].push(value));
    if (time.length > CHARTED) [time, ...values].forEach((column) => column.splice(0, CHARTED / 4));
  };

  const source = {
    title: state.scene.split(/[\\/]/).pop(),
    about: state.about,
    live: true,
    dimensions,
    bounds,
    box,
    periodic: state.periodic,
    speeds: speedsOf(first),
    boids: state.boids,
    scene: null,
    species: null,
    latest: -1,
    observables: observables(),
    rate: 0,
    still: state.paused,
    frames: () => null,
    time: (i) => frames.get(i)?.time,
    step: (i) => frames.get(i)?.step,
    frame: (i) => frames.get(i) ?? null,
    onframe() {},
    error: () => failure,
    play: () => line.ask({ do: "play" }).catch(() => {}),
    pause: () => line.ask({ do: "pause" }).catch(() => {}),
    advance: () => line.ask({ do: "step" }).catch(() => {}),
    reset: () => line.ask({ do: "reset" }),

    take(frame) {
      if (frame.run !== run) {
        // Another flock: nothing leads from the old one to it.
        run = frame.run;
        frames.clear();
        source.latest++;
        source.observables = observables();
        told = null;
      }
      source.latest++;
      source.rate = frame.rate;
      frames.set(source.latest, frame);
      const most = Math.max(2, Math.min(KEEP, Math.floor(KEEP_BYTES / (28 * Math.max(1, frame.ids.length)))));
      for (const i of frames.keys()) if (i <= source.latest - most) frames.delete(i);
      chart(frame);
      const fresh = speedsOf(frame);
      source.speeds = source.speeds.map((x, k) => x + 0.05 * (fresh[k] - x));
      source.onframe(source.latest);
    },

    // By how much the flock has moved since it was last asked: in open space the camera goes along.
    drift() {
      const frame = frames.get(source.latest);
      if (box || !frame) return null;
      const now = extent(frame).middle;
      const by = now.map((x, a) => x - middle[a]);
      middle = now;
      for (const corner of [bounds.min, bounds.max]) corner.forEach((x, a) => (corner[a] = x + by[a]));
      return by;
    },

    // The engine explains what it is about to do. While it runs and is asked with every frame, it is asked again only when it has
    // answered; until then the last answer stands.
    async explain(id) {
      const ask = () => line.ask({ do: "explain", boid: id }).then(({ page }) => page, () => null);
      if (source.still) {
        told = { id, page: await ask() };
        return told.page;
      }
      if (flight?.id !== id) {
        const question = { id };
        flight = question;
        question.answer = ask();
        question.answer.then((page) => {
          if (flight !== question) return;
          flight = null;
          told = { id, page };
        });
      }
      return told?.id === id ? told.page : flight ? flight.answer : null;
    },

    end() {
      failure = "The view has ended. Start it again, and this page goes on.";
    },
  };
  source.take(first);
  return source;
};

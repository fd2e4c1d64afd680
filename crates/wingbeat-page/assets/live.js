// A flock that flies by itself as a source for the player: the latest frames, and explanations by
// the engine itself. `settings.goBack` leads back to the recording that it took off from.
Wingbeat.live = (connection, state, first, settings = {}) => {
  const MOST_FRAMES = 40;
  const MOST_BYTES = 64e6;
  const MOST_CHARTED = 2400;
  const frames = new Map();
  const { dimensions } = state;
  const wide = (corner) => [corner[0], corner[1], corner[2] ?? 0];
  const box = state.bounds && { min: wide(state.bounds[0]), max: wide(state.bounds[1]) };
  let [run, failure, explanation, pending] = [first.run, null, null, null];
  let wasOver = false;

  // The box around the boids of a frame, and their mean position.
  const extent = (frame) => {
    const [min, max, sum] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
      [0, 0, 0],
    ];
    for (let i = 0; i < frame.position.length; i++) {
      const x = frame.position[i];
      const a = i % 3;
      if (x < min[a]) min[a] = x;
      if (x > max[a]) max[a] = x;
      sum[a] += x;
    }
    const n = Math.max(1, frame.ids.length);
    return frame.ids.length === 0
      ? { min: [0, 0, 0], max: [1, 1, 1], middle: [0, 0, 0] }
      : { min, max, middle: sum.map((x) => x / n) };
  };

  // The range of speeds of about 500 boids, without the slowest and fastest fiftieth.
  const speedsOf = ({ velocity, ids }) => {
    const stride = Math.max(1, Math.floor(ids.length / 500));
    const speeds = [];
    for (let i = 0; i < ids.length; i += stride)
      speeds.push(Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]));
    speeds.sort((a, b) => a - b);
    const at = (share) => speeds[Math.floor(share * (speeds.length - 1))] ?? 0;
    return [at(0.02), at(0.98) + 1e-9];
  };

  const start = extent(first);
  // In open space the camera starts at the flock's own box, with a quarter more on each side.
  const marginOf = (low, high) =>
    low.map((x, a) => (high[a] - x) * 0.25 + (a < dimensions ? 1e-3 : 0));
  const margin = marginOf(start.min, start.max);
  const bounds = box ?? {
    min: start.min.map((x, a) => x - margin[a]),
    max: start.max.map((x, a) => x + margin[a]),
  };
  let middle = start.middle;

  // Where there are exits, those who have left are counted, and order is not asked for.
  const exits = state.places.filter(({ kind }) => kind === "exit").map(({ name }) => name);
  const hasSources = state.places.some(({ kind }) => kind === "source");
  // Of a flock that took off from a recording nothing says by which exit the others had left.
  const byExit = settings.goBack ? 0 : exits.length;
  const sum = (counts) => counts.reduce((sum, one) => sum + one, 0);
  const counts = [
    ["remaining", ({ ids }) => ids.length],
    ...(byExit > 0 ? [["left", ({ left }) => sum(left)]] : []),
    ...(byExit > 1
      ? exits.map((name, k) => [`by ${name.replaceAll("_", " ")}`, ({ left }) => left[k]])
      : []),
  ];
  const names =
    exits.length > 0
      ? [...counts.map(([name]) => name), "mean_speed"]
      : ["polarization", "milling", "mean_speed"];
  const observables = () => ({
    time: [],
    names,
    values: names.map(() => []),
    counts: exits.length > 0 ? counts.length : 0,
  });
  const observed = (frame) =>
    exits.length > 0
      ? [...counts.map(([, of]) => of(frame)), frame.observed[2]]
      : frame.observed;
  const chart = (frame) => {
    const { time, values } = source.observables;
    time.push(frame.time);
    observed(frame).forEach((value, k) => values[k].push(value));
    if (time.length <= MOST_CHARTED) return;
    // How many have left is asked from the first on, how a flock flies of late.
    for (const column of [time, ...values]) {
      if (exits.length === 0) column.splice(0, MOST_CHARTED / 4);
      else column.splice(0, Infinity, ...column.filter((_, k) => k % 2 === 0));
    }
  };

  const source = {
    title: state.lesson.title || state.scene.split(/[\\/]/).pop(),
    lesson: state.lesson,
    noun: state.noun,
    invites: true,
    about: state.about,
    live: true,
    dimensions,
    bounds,
    box,
    periodic: state.periodic,
    speeds: speedsOf(first),
    boids: first.ids.length,
    scene: { name: state.scene, origin: [] },
    species: state.species.length > 0 ? state.species : null,
    radii: state.radii,
    unit: state.unit,
    timeUnit: state.unit && "s",
    places: state.places,
    latest: -1,
    observables: observables(),
    rate: 0,
    still: state.paused,
    goBack: settings.goBack,
    obstacles: () => null,
    frames: () => null,
    time: (i) => frames.get(i)?.time,
    step: (i) => frames.get(i)?.step,
    frame: (i) => frames.get(i) ?? null,
    onframe() {},
    error: () => failure,
    play: () => connection.ask({ do: "play" }).catch(() => {}),
    pause: () => connection.ask({ do: "pause" }).catch(() => {}),
    advance: () => connection.ask({ do: "step" }).catch(() => {}),
    reset: () => connection.ask({ do: "reset" }),

    take(frame) {
      if (frame.run !== run) {
        // The flock was built anew: older frames are of no use to it.
        run = frame.run;
        frames.clear();
        source.latest++;
        source.observables = observables();
        explanation = null;
      }
      source.latest++;
      [source.rate, source.boids] = [frame.rate, frame.ids.length];
      frames.set(source.latest, frame);
      const most = Math.max(
        2,
        Math.min(MOST_FRAMES, Math.floor(MOST_BYTES / (28 * Math.max(1, frame.ids.length)))),
      );
      for (const i of frames.keys()) if (i <= source.latest - most) frames.delete(i);
      chart(frame);
      const fresh = speedsOf(frame);
      source.speeds = source.speeds.map((x, k) => x + 0.05 * (fresh[k] - x));
      source.onframe(source.latest);
      // When all have left there is no more to see.
      const isOver = frame.ids.length === 0 && exits.length > 0 && !hasSources;
      if (isOver && !wasOver) source.pause();
      wasOver = isOver;
    },

    // How far the flock has moved since the last call: in open space the camera follows it.
    drift() {
      const frame = frames.get(source.latest);
      if (box || !frame) return null;
      const now = extent(frame).middle;
      const by = now.map((x, a) => x - middle[a]);
      middle = now;
      for (const corner of [bounds.min, bounds.max])
        corner.forEach((x, a) => (corner[a] = x + by[a]));
      return by;
    },

    // The engine explains the next step of a boid. While the flock runs, each frame asks for an
    // explanation, but a request is sent only when the one before has been answered; until then the
    // last answer is shown.
    async explain(id) {
      const ask = () =>
        connection.ask({ do: "explain", boid: id }).then(
          ({ page }) => page,
          () => null,
        );
      if (source.still) {
        explanation = { id, page: await ask() };
        return explanation.page;
      }
      if (pending?.id !== id) {
        const request = { id };
        pending = request;
        request.answer = ask();
        request.answer.then((page) => {
          if (pending !== request) return;
          pending = null;
          explanation = { id, page };
        });
      }
      return explanation?.id === id ? explanation.page : pending ? pending.answer : null;
    },

    end() {
      failure = "The view has ended. Start it again, and this page goes on.";
    },
  };
  source.take(first);
  return source;
};

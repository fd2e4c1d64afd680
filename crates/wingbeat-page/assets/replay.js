// A recording in the page as a source. Groups of frames are inflated when they are wanted, the next
// one ahead of time, and the oldest go when they take too much memory. The format is described in
// src/encode.rs.
Wingbeat.replaySource = (page) => {
  const KEEP_BYTES = 256e6;
  // Milliseconds that an explanation is waited for before something else is shown.
  const PATIENCE = 150;
  const index = JSON.parse(page.getElementById("recording").textContent);
  const { dimensions, levels, times, steps } = index;
  const starts = [0];
  for (const count of index.groups) starts.push(starts[starts.length - 1] + count);
  const groups = new Map(); // number -> { frames, bytes, used } or { loading: true }
  let uses = 0;
  let failure = null;

  const groupOf = (i) => {
    let g = 0;
    while (starts[g + 1] <= i) g++;
    return g;
  };

  const inflate = async (g) => {
    const text = page.getElementById(`group-${g}`).textContent;
    return new Uint8Array(await Wingbeat.inflated(text, "deflate"));
  };

  const load = async (g) => {
    if (g >= index.groups.length || groups.has(g)) return;
    groups.set(g, { loading: true });
    try {
      const frames = await Wingbeat.decodeGroup(await inflate(g), index, starts[g]);
      let before = null;
      for (const frame of frames) {
        frame.species = before?.ids === frame.ids ? before.species : speciesOf(frame.ids);
        before = frame;
      }
      const bytes = frames.reduce((sum, frame) => sum + frame.ids.length * 28, 0);
      groups.set(g, { frames, bytes, used: ++uses });
      forget();
      for (let i = starts[g]; i < starts[g + 1]; i++) source.onframe(i);
    } catch (error) {
      failure = `The recording in this page cannot be read: ${error.message}`;
      source.onframe(starts[g]);
    }
  };

  // The page holds species as runs of ids.
  const speciesOf = (ids) => {
    const { names, runs } = index.species;
    if (names.length === 0) return undefined;
    const species = new Uint8Array(ids.length);
    for (let i = 0, k = 0; i < ids.length; i++) {
      while (ids[i] >= runs[k][0] + runs[k][1]) k++;
      species[i] = runs[k][2];
    }
    return species;
  };

  const forget = () => {
    const whole = [...groups]
      .filter(([, group]) => group.frames)
      .sort((a, b) => a[1].used - b[1].used);
    let bytes = whole.reduce((sum, [, group]) => sum + group.bytes, 0);
    // Three stay whatever their size: the one that plays, the next, and one that trails reach back
    // to.
    while (bytes > KEEP_BYTES && whole.length > 3) {
      const [g, group] = whole.shift();
      groups.delete(g);
      bytes -= group.bytes;
    }
  };

  const { scene } = index;
  const wide = (corner) => [corner[0], corner[1], corner[2] ?? 0];
  const { domain } = scene;
  const box = domain.min && { min: wide(domain.min), max: wide(domain.max) };
  const source = {
    title: scene.name.split(/[\\/]/).pop() || "A recording",
    about: scene.about,
    noun: scene.noun,
    live: false,
    dimensions,
    bounds: box ?? { min: wide(index.bounds.min), max: wide(index.bounds.max) },
    box,
    periodic: domain.kind === "periodic",
    speeds: index.speeds,
    boids: index.boids,
    scene,
    species: index.species.names.length > 0 ? index.species.names : null,
    radii: scene.radii,
    unit: index.unit,
    timeUnit: index.time_unit,
    places: scene.places,
    notes: index.notes,
    observables: index.observables,
    latest: times.length - 1,
    frames: () => times.length,
    time: (i) => times[i],
    step: (i) => steps[i],
    error: () => failure,
    onframe() {},
    frame(i) {
      if (!(i >= 0 && i < times.length)) return null;
      const g = groupOf(i);
      const group = groups.get(g);
      if (group?.frames) {
        group.used = ++uses;
        // The next group while there is still time; a recording that goes round begins anew.
        if (i >= starts[g] + index.groups[g] / 3) load((g + 1) % index.groups.length);
        return group.frames[i - starts[g]];
      }
      load(g);
      return null;
    },
    obstacles: () => null,
    explainedBy: null,
    onexplained() {},
    async explain(id, i) {
      const frame = source.frame(i);
      if (!frame || Wingbeat.find(frame.ids, id) < 0) return null;
      const near = (note) => ({
        ...Wingbeat.near(
          frame,
          id,
          source,
          `${note} Shown are the nearest, whether or not it looks at them.`,
        ),
        command: commandFor(frame, id),
      });
      if (!scene.toml) return near(scene.unexplained ?? "The file holds no rules.");
      if (!source.explainedBy) return near("This browser cannot run the engine of this page.");
      const exact = source.explainedBy.explain(frame.step, id).then(
        (told) =>
          isThatBoid(told, frame)
            ? { ...told, time: frame.time, command: commandFor(frame, id) }
            : near(
                "The engine in this page does not come to this frame: " +
                  "the recording was made otherwise.",
              ),
        (error) => near(`The engine says: ${error.message}.`),
      );
      const soon = await Promise.race([
        exact,
        new Promise((resolve) => setTimeout(resolve, PATIENCE)),
      ]);
      if (soon) return soon;
      // Who is near is shown until the engine has come to this step.
      exact.then(() => source.onexplained());
      return near("The engine is on its way to this step.");
    },
  };

  const commandFor = (frame, id) =>
    scene.explain && `${scene.explain.command} --boid ${id} --step ${frame.step}`;
  // Whether the engine's boid is where the recording has it, but for what the page rounds.
  const isThatBoid = (told, frame) => {
    const at = 3 * Wingbeat.find(frame.ids, told.boid);
    return told.position.every((x, a) => {
      let away = Math.abs(x - frame.position[at + a]);
      if (source.periodic) away = Math.min(away, Math.abs(box.max[a] - box.min[a] - away));
      return away <= 1.01 * levels.position_error + 1e-6 * Math.abs(x);
    });
  };
  return source;
};

// The frames of an inflated group. Between frames others get their turn, so that large ones do not
// stop the picture.
Wingbeat.decodeGroup = async (bytes, { dimensions, levels, times, steps }, first) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = [];
  let before = { ids: new Uint32Array(0), velocities: [], positions: [] };
  let at = 0;
  const take = (length) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const count = view.getUint32(at, true);
    const idsFollow = view.getUint32(at + 4, true) & 1;
    at += 8;
    const drifts = [];
    for (let a = 0; a < dimensions; a++, at += 8) drifts.push(view.getFloat64(at, true));
    const ids = idsFollow ? readIds(take(4 * count), count) : before.ids;
    const from = idsFollow ? Wingbeat.matchIds(ids, before.ids) : null;
    const velocities = drifts.map((_, a) => {
      const was = before.velocities[a];
      return readColumn(take(2 * count), count, 65535, (i) => {
        const j = from ? from[i] : i;
        return j < 0 ? 32768 : was[j];
      });
    });
    const positions = drifts.map((drift, a) => {
      const [was, wasMoving, moving] = [before.positions[a], before.velocities[a], velocities[a]];
      return readColumn(take(2 * count), count, levels.mask, (i) => {
        const j = from ? from[i] : i;
        if (j < 0) return 0;
        const [v, w] = [wasMoving[j], moving[i]];
        return was[j] + (v === 0 || w === 0 ? 0 : Math.floor((v + w - 65536) * drift + 0.5));
      });
    });
    before = { ids, velocities, positions };
    const k = first + frames.length;
    frames.push({ time: times[k], step: steps[k], ids, ...unpack(before, dimensions, levels) });
    if (count > 5000) await new Promise((resolve) => setTimeout(resolve));
  }
  return frames;

  function readIds(planes, length) {
    const read = new Uint32Array(length);
    for (let i = 0, id = 0; i < length; i++) {
      const more =
        planes[i] |
        (planes[length + i] << 8) |
        (planes[2 * length + i] << 16) |
        (planes[3 * length + i] << 24);
      id = (id + more) >>> 0;
      read[i] = id;
    }
    return read;
  }

  function readColumn(planes, length, mask, expected) {
    const column = new Uint16Array(length);
    for (let i = 0; i < length; i++) {
      const zigzag = planes[i] | (planes[length + i] << 8);
      column[i] = (expected(i) + ((zigzag >>> 1) ^ -(zigzag & 1))) & mask;
    }
    return column;
  }

  function unpack({ ids: { length }, velocities, positions }) {
    const position = new Float32Array(3 * length);
    const velocity = new Float32Array(3 * length);
    for (let a = 0; a < dimensions; a++) {
      const [min, step] = [levels.min[a], levels.step[a]];
      const [p, v] = [positions[a], velocities[a]];
      for (let i = 0, to = a; i < length; i++, to += 3) {
        position[to] = min + (p[i] + levels.half) * step;
        velocity[to] = v[i] === 0 ? NaN : (v[i] - 32768) * levels.velocity_step;
      }
    }
    return { position, velocity };
  }
};

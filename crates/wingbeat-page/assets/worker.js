// The engine on a thread of its own. It has two flocks: `recorded` goes to any step of the run that
// a recording is of, and `live` flies by the clock, as the engine behind the live view does.
// Neither waits for the page: requests that take long are done in slices.
Wingbeat.work = () => {
  // A slice of work, in milliseconds; between two the page is listened to.
  const SLICE = 30;
  const MOST_BEHIND = 100;
  const RATE_WINDOW = 500;
  // Most steps that a scene is flown before it is first shown.
  const MOST_WARM = 400;
  // At most one part in so many of the time goes into observables.
  const OBSERVING = 20;
  // Bytes that checkpoints of the recorded run may take.
  const KEEP_BYTES = 48e6;

  let [bytes, scene] = [null, null];
  const tell = (message, moved = []) => postMessage(message, moved);
  const turns = new MessageChannel();
  let [waiting, turning] = [[], false];
  // Lets messages in, without the pause that a timer makes.
  const turn = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!turning) turns.port2.postMessage(null);
      turning = true;
    });
  turns.port1.onmessage = () => {
    const all = waiting;
    [waiting, turning] = [[], false];
    all.forEach((resolve) => resolve());
  };

  // --- the recorded run

  const recorded = { module: null, kept: new Map(), keptBytes: 0, stride: 8, step: 0 };
  let [wanted, firm] = [0, false];
  const build = () => {
    recorded.module.build(scene.name, scene.toml, scene.start);
    recorded.step = 0;
  };

  // Checkpoints are kept every so many steps; when they take too much, every second one goes.
  const keep = () => {
    const { kept, module, step } = recorded;
    if (step % recorded.stride !== 0 || kept.has(step)) return;
    const checkpoint = module.checkpoint();
    kept.set(step, checkpoint);
    recorded.keptBytes += checkpoint.length;
    if (recorded.keptBytes <= KEEP_BYTES) return;
    recorded.stride *= 2;
    for (const [at, { length }] of kept) {
      if (at % recorded.stride === 0) continue;
      kept.delete(at);
      recorded.keptBytes -= length;
    }
  };

  // Takes the recorded flock to a step and does something with it there; a later call ends this
  // one. Tells how far it is while it takes long.
  const at = async (step, act) => {
    if (firm) throw new Error("the engine is on its way to another step");
    const own = ++wanted;
    const goOn = () => {
      if (wanted !== own) throw new Error("another step is wanted meanwhile");
    };
    if (!recorded.module) {
      const module = await Wingbeat.Module.open(bytes);
      goOn();
      recorded.module = module;
      build();
    }
    const kept = [...recorded.kept.keys()]
      .filter((at) => at <= step)
      .reduce((most, at) => Math.max(most, at), 0);
    if (recorded.step > step || kept > recorded.step) {
      // Who has left comes back only with a flock built anew.
      build();
      if (kept > 0) recorded.module.restore(recorded.kept.get(kept));
      recorded.step = kept;
    }
    while (recorded.step < step) {
      const end = performance.now() + SLICE;
      while (recorded.step < step && performance.now() < end) {
        recorded.module.step();
        recorded.step++;
        keep();
      }
      tell({ event: "progress", step: recorded.step, wanted: step });
      await turn();
      goOn();
    }
    return act(recorded.module);
  };
  // The same, and no later call ends it.
  const surelyAt = async (step, act) => {
    const done = at(step, act);
    firm = true;
    return done.finally(() => (firm = false));
  };

  // --- the live flock

  let live = null;
  const publishFrame = () => {
    const { module, run, step, framed, paused } = live;
    if (!live.frameWanted || (framed && framed.run === run && framed.step === step)) return;
    const now = performance.now();
    const observe = paused || step === 0 || now - live.observedAt >= OBSERVING * live.observing;
    const buffer = module.frame(paused ? 0 : live.perSecond, observe);
    new DataView(buffer).setUint32(12, run, true);
    if (observe) [live.observedAt, live.observing] = [performance.now(), performance.now() - now];
    [live.framed, live.frameWanted] = [{ run, step }, false];
    tell({ event: "frame", buffer }, [buffer]);
  };
  // Takes over how things stand after a request, and tells the page.
  const adopt = () => {
    const state = live.module.state();
    // Scenes that were loaded before count as runs too.
    state.run += live.runsBefore;
    const { paused, speed, dt, run } = state;
    if (run !== live.run) live.step = 0;
    Object.assign(live, { paused, run, interval: (1000 * dt) / speed, due: performance.now() });
    [live.since, live.steps, live.perSecond] = [live.due, 0, 0];
    tell({ event: "state", state });
  };
  const stepOnce = () => {
    live.module.step();
    live.step++;
    live.steps++;
    const elapsed = performance.now() - live.since;
    if (elapsed >= RATE_WINDOW)
      [live.perSecond, live.since, live.steps] = [
        (1000 * live.steps) / elapsed,
        performance.now(),
        0,
      ];
  };

  const fly = async () => {
    const own = live;
    while (live === own) {
      publishFrame();
      const now = performance.now();
      if (!live.paused && now >= live.due) {
        stepOnce();
        live.due += live.interval;
        if (performance.now() > live.due + MOST_BEHIND) live.due = performance.now();
      }
      const left = live.paused ? Infinity : live.due - performance.now();
      if (left < 4) await turn();
      else
        await new Promise(
          (resolve) => ((live.wake = resolve), left < Infinity && setTimeout(resolve, left)),
        );
    }
  };

  // Flies a flock until it has formed: so many steps. People are shown from the alarm on.
  const warm = (module, end, most) => {
    const isCrowd = module.state().noun === "people";
    let made = 0;
    for (; !isCrowd && made < most && performance.now() < end; made++) module.step();
    return made;
  };
  const start = async (module, step, runsBefore = 0) => {
    live = {
      module,
      runsBefore,
      run: runsBefore,
      step,
      framed: null,
      frameWanted: true,
      observedAt: -1e9,
      observing: 0,
      perSecond: 0,
    };
    adopt();
    fly();
  };

  // --- what the page asks for

  const acts = {
    open(message) {
      bytes = message.bytes;
      scene = message.scene;
    },
    // Why a boid goes where it goes after so many steps of the recorded run.
    async explain({ step, boid }) {
      const { page, error } = await at(step, (module) =>
        module.request({ do: "explain", id: 0, boid }),
      );
      if (error) throw new Error(error);
      return page;
    },
    hash: ({ step }) => surelyAt(step, (module) => module.stateHash),
    // The scene's own flock takes off: after so many steps of the recorded run, or at its start
    // after as many as fit into some time.
    async takeOff({ step = null, within = 0, most = 0, play = true }) {
      const module = await Wingbeat.Module.open(bytes);
      const end = performance.now() + within;
      if (step !== null) {
        const checkpoint = await surelyAt(step, (module) => module.checkpoint());
        module.build(scene.name, scene.toml, scene.start);
        module.restore(checkpoint);
      } else {
        module.build(scene.name, scene.toml, scene.start);
      }
      const made = step ?? warm(module, end, most);
      if (play) module.request({ do: "play", id: 0 });
      await start(module, made);
    },
    // Another scene in place of the one that flies; refused, that one stays.
    async load({ name, toml, within }) {
      const module = await Wingbeat.Module.open(bytes);
      // The boids that the page has stand for a file that the scene names.
      try {
        module.build(name, toml);
      } catch (error) {
        if (!scene.start) throw error;
        module.build(name, toml, scene.start);
      }
      scene = { ...scene, name, toml };
      recorded.kept.clear();
      Object.assign(recorded, { module: null, keptBytes: 0 });
      const made = warm(module, performance.now() + within, MOST_WARM);
      const { wake, run = -1, paused = false } = live ?? {};
      const speed = live?.module.state().speed;
      if (speed) module.request({ do: "speed", id: 0, factor: speed });
      if (!paused) module.request({ do: "play", id: 0 });
      start(module, made, run + 1);
      wake?.();
    },
    land() {
      const { wake } = live ?? {};
      live = null;
      wake?.();
    },
    next() {
      if (live) live.frameWanted = true;
    },
    request({ request }) {
      if (!live) throw new Error("the flock does not fly");
      const answer = live.module.request(request);
      if (request.do !== "explain") {
        if (request.do === "step") live.step++;
        adopt();
      }
      return answer;
    },
    // Milliseconds of a step, of so many after some to warm up: for benchmarks.
    async time({ warm, steps }) {
      const module = await Wingbeat.Module.open(bytes);
      module.build(scene.name, scene.toml, scene.start);
      module.step(warm);
      const start = performance.now();
      module.step(steps);
      return (performance.now() - start) / steps;
    },
    // Where the flock that flies stands.
    where: () => ({
      step: live.step, boids: live.module.state().boids, hash: live.module.stateHash,
    }),
    toml: () => live.module.toml(),
    liveHash: () => live.module.stateHash,
  };
  onmessage = async ({ data }) => {
    try {
      const value = await acts[data.act](data);
      live?.wake?.();
      if (data.number) tell({ number: data.number, value });
    } catch (error) {
      tell({ number: data.number, error: error.message });
    }
  };
};

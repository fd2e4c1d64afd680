// The engine that the page carries: `packedEngine` is its text, and what is in it works in a worker. Null where the page has
// none.
//
// engine = {
//   scene               { name, toml, domain, start } of the flock, as the page has it
//   explain(step, id)   a promise of the explanation (wingbeat-session/src/explain) for the recorded run after so many steps; a later call ends this one
//   hash(step)          likewise the state's hash; liveHash() that of the flock that flies
//   time(warm, steps)   a promise of the milliseconds that a step takes
//   request(request)    a request (wingbeat-session/src/protocol.rs) to the flock that flies
//   takeOff(from)       the flock flies on by itself, on { step } of the recorded run, or anew: { within: milliseconds, most: steps }
//   land()              and ends
//   load(scene)         another scene, { name, toml, within }, in place of the one that flies; refused, that one stays
//   where()             a promise of { step, boids, hash } of the flock that flies
//   toml()              a promise of its scene, as tuned
//   connect(on)         a connection to the flock that flies, as `Wingbeat.connectServer` has it
//   world(scene)        a promise of a function that gives the obstacles at a time; null where there are none
//   onprogress(event)   set by the page: the recorded run is on its way to a step
// }
Wingbeat.engine = (page, scene) => {
  if (typeof packedEngine === "undefined" || !scene?.toml || !window.Worker || !window.WebAssembly) return null;
  const bytes = Wingbeat.inflated(packedEngine);

  const waiting = new Map();
  let [last, on, worker] = [0, null, null];
  const start = page.getElementById("start");
  const begin = async () => {
    const address = URL.createObjectURL(new Blob([Wingbeat.workerCode], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.event === "frame") return on?.frame(Wingbeat.readFrame(data.buffer));
      if (data.event === "state") return on?.state(data.state);
      if (data.event === "progress") return engine.onprogress(data);
      const { resolve, reject } = waiting.get(data.number) ?? {};
      waiting.delete(data.number);
      if (data.error !== undefined) reject?.(new Error(data.error));
      else resolve?.(data.value);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      waiting.forEach(({ reject }) => reject(new Error(`the engine cannot work here: ${event.message ?? "no worker"}`)));
      waiting.clear();
    };
    const { name, toml } = scene;
    const frame = start && (await Wingbeat.inflated(start.textContent));
    worker.postMessage({ act: "open", number: 0, bytes: await bytes, scene: { name, toml, start: frame } });
  };
  let begun = null;
  const ask = async (act, message = {}) => {
    await (begun ??= begin());
    const number = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve, reject });
      worker.postMessage({ ...message, act, number });
    });
  };

  const engine = {
    scene,
    onprogress() {},
    explain: (step, boid) => ask("explain", { step, boid }),
    hash: (step) => ask("hash", { step }),
    liveHash: () => ask("liveHash"),
    time: (warm, steps) => ask("time", { warm, steps }),
    request: (request) => ask("request", { request: { ...request, id: 0 } }),
    takeOff: (from) => ask("takeOff", from),
    load: (scene) => ask("load", scene),
    where: () => ask("where"),
    toml: () => ask("toml"),
    land() {
      on = null;
      return ask("land");
    },
    connect(listener) {
      on = listener;
      return {
        open: true,
        async ask(request) {
          const answer = await engine.request(request);
          if (answer.error !== null) throw new Error(answer.error);
          return answer;
        },
        toml: engine.toml,
        next: () => worker.postMessage({ act: "next" }),
      };
    },
    async world(world) {
      const module = await Wingbeat.Module.open(await bytes);
      const kind = module.world(world);
      if (kind === "none") return null;
      let [shapes, at] = [module.shapes(0), 0];
      return (time) => {
        if (kind === "moving" && time !== at) [shapes, at] = [module.shapes(time), time];
        return shapes;
      };
    },
  };
  return engine;
};

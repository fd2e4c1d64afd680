// The engine's module as one class. It hides where things lie in the module's memory;
// crates/wingbeat-web/README.md lists the functions behind it. A page has it twice: in a worker,
// where flocks fly, and beside the player, for the obstacles of any moment.
Wingbeat.Module = class {
  #exports;
  #session;

  // A session of the module in these bytes. Each has a module of its own, so that its memory is
  // free when the page drops it.
  static async open(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new this(instance.exports);
  }

  constructor(exports) {
    this.#exports = exports;
    this.#session = exports.wingbeat_open();
  }

  // Builds the flock of a scene's TOML, in place of any before; `start` is the frame it starts
  // with, or null.
  build(name, toml, start = null) {
    const [first, second] = [name, toml].map((text) => new TextEncoder().encode(text));
    const parts = [first, second, new Uint8Array(start ?? 0)];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#put(bytes);
    this.#tried(this.#exports.wingbeat_build(this.#session, first.length, second.length));
  }

  step(steps = 1) {
    this.#tried(this.#exports.wingbeat_step(this.#session, steps));
  }

  // Sixteen digits, as `wingbeat run --json` prints it.
  get stateHash() {
    return BigInt.asUintN(64, this.#exports.wingbeat_state_hash(this.#session))
      .toString(16)
      .padStart(16, "0");
  }

  // A request of wingbeat-session/src/protocol.rs, and its answer.
  request(request) {
    this.#put(new TextEncoder().encode(JSON.stringify(request)));
    this.#tried(this.#exports.wingbeat_request(this.#session));
    return JSON.parse(this.#text());
  }

  // The state, as in wingbeat-session/src/protocol.rs.
  state() {
    this.#tried(this.#exports.wingbeat_state(this.#session));
    return JSON.parse(this.#text());
  }

  toml() {
    this.#tried(this.#exports.wingbeat_toml(this.#session));
    return this.#text();
  }

  // The boids as a frame (wingbeat-session/src/frame.rs), in a buffer of its own.
  frame(rate = 0, observe = true) {
    this.#tried(this.#exports.wingbeat_frame(this.#session, rate, Number(observe)));
    return this.#taken().buffer;
  }

  // The boids and all that the flock remembers beside them, as bytes: a flock of the same scene
  // goes on from them in the same bits.
  checkpoint() {
    this.#tried(this.#exports.wingbeat_checkpoint(this.#session));
    return this.#taken();
  }

  restore(bytes) {
    this.#put(bytes);
    this.#tried(this.#exports.wingbeat_restore(this.#session));
  }

  // Takes a scene for its obstacles: { name, toml, domain }. "none", "standing", or "moving" where
  // some move.
  world(world) {
    this.#put(new TextEncoder().encode(JSON.stringify(world)));
    const told = this.#exports.wingbeat_world(this.#session);
    if (told === 1) this.#tried(told);
    return { 0: "standing", 2: "none", 3: "moving" }[told];
  }

  // The obstacles at a time: edges, six numbers each, and triangles, nine each.
  shapes(time) {
    const {
      memory,
      wingbeat_set_time,
      wingbeat_lines,
      wingbeat_line_numbers,
      wingbeat_triangles,
      wingbeat_triangle_numbers,
    } = this.#exports;
    wingbeat_set_time(this.#session, time);
    const numbers = (at, count) =>
      new Float32Array(memory.buffer, at(this.#session), count(this.#session)).slice();
    return {
      lines: numbers(wingbeat_lines, wingbeat_line_numbers),
      triangles: numbers(wingbeat_triangles, wingbeat_triangle_numbers),
    };
  }

  #put(bytes) {
    const at = this.#exports.wingbeat_input(this.#session, bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  // A copy: where the module's memory grows, views of it are gone.
  #taken() {
    const { memory, wingbeat_output, wingbeat_output_bytes } = this.#exports;
    return new Uint8Array(
      memory.buffer,
      wingbeat_output(this.#session),
      wingbeat_output_bytes(this.#session),
    ).slice();
  }

  #text() {
    return new TextDecoder().decode(this.#taken());
  }

  #tried(refused) {
    if (refused) throw new Error(this.#text());
  }
};

// The module from JavaScript: one class, for Node and for pages. It hides where things lie in the module's memory; README.md lists the
// functions behind it.
export class Wingbeat {
  // A session of the module in these bytes. Each has a module of its own, so that its memory is free when nobody has it any more.
  static async open(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Wingbeat(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
    this.session = exports.wingbeat_open();
  }

  // Builds the flock of a scene's TOML, in place of any before.
  build(name, toml) {
    const [first, second] = [name, toml].map((text) => new TextEncoder().encode(text));
    const bytes = new Uint8Array(first.length + second.length);
    bytes.set(first);
    bytes.set(second, first.length);
    this.#put(bytes);
    this.#tried(this.exports.wingbeat_build(this.session, first.length));
  }

  step(steps = 1) {
    this.#tried(this.exports.wingbeat_step(this.session, steps));
  }

  get boids() {
    return this.exports.wingbeat_boids(this.session);
  }

  get dimensions() {
    return this.exports.wingbeat_dimensions(this.session);
  }

  // Sixteen digits, as `wingbeat run --json` prints it.
  get stateHash() {
    return BigInt.asUintN(64, this.exports.wingbeat_state_hash(this.session)).toString(16).padStart(16, "0");
  }

  // The boids by ascending id. Columns are copies: where the module's memory grows, views of it are gone.
  read() {
    const { exports, session, boids, dimensions } = this;
    this.#tried(exports.wingbeat_read(session));
    const column = (Type, at, count) => new Type(exports.memory.buffer, at, count).slice();
    const species = exports.wingbeat_species(session);
    return {
      ids: column(Uint32Array, exports.wingbeat_ids(session), boids),
      positions: column(Float32Array, exports.wingbeat_positions(session), boids * dimensions),
      velocities: column(Float32Array, exports.wingbeat_velocities(session), boids * dimensions),
      species: species ? column(Uint8Array, species, boids) : null,
    };
  }

  // Boids as `read` gives them: those that are not among them leave.
  setState({ ids, positions, velocities }) {
    const columns = [Uint32Array.from(ids), Float32Array.from(positions), Float32Array.from(velocities)];
    const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
    let at = 0;
    for (const column of columns) {
      bytes.set(new Uint8Array(column.buffer), at);
      at += column.byteLength;
    }
    this.#put(bytes);
    this.#tried(this.exports.wingbeat_set_state(this.session));
  }

  setStep(step) {
    this.#tried(this.exports.wingbeat_set_step(this.session, step));
  }

  // What the flock remembers beside positions and velocities, as bytes.
  memory() {
    this.#tried(this.exports.wingbeat_memory(this.session));
    return this.#taken();
  }

  setMemory(bytes) {
    this.#put(bytes);
    this.#tried(this.exports.wingbeat_set_memory(this.session));
  }

  // The text of `wingbeat explain --json`.
  explain(boid) {
    this.#tried(this.exports.wingbeat_explain(this.session, boid));
    return new TextDecoder().decode(this.#taken());
  }

  #put(bytes) {
    const at = this.exports.wingbeat_input(this.session, bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #taken() {
    const { exports, session } = this;
    return new Uint8Array(exports.memory.buffer, exports.wingbeat_output(session), exports.wingbeat_output_bytes(session)).slice();
  }

  #tried(refused) {
    if (refused) throw new Error(new TextDecoder().decode(this.#taken()));
  }
}

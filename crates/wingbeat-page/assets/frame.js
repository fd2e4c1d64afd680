// A frame of the engine (wingbeat-session/src/frame.rs) in the player's form: three coordinates, in
// the plane too.
Wingbeat.readFrame = (buffer) => {
  const view = new DataView(buffer);
  const exits = view.getUint32(48, true);
  const HEAD = 52 + 4 * exits;
  const [dimensions, count] = [view.getUint32(4, true), view.getUint32(8, true)];
  const wide = (offset) => {
    const packed = new Float32Array(buffer, offset, count * dimensions);
    if (dimensions === 3) return packed;
    const column = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      column[3 * i] = packed[2 * i];
      column[3 * i + 1] = packed[2 * i + 1];
    }
    return column;
  };
  const species = new Uint8Array(buffer, HEAD + 4 * count + 8 * count * dimensions);
  return {
    run: view.getUint32(12, true),
    step: view.getFloat64(16, true),
    time: view.getFloat64(24, true),
    rate: view.getFloat32(32, true),
    observed: [36, 40, 44].map((offset) => view.getFloat32(offset, true)),
    left: new Uint32Array(buffer, 52, exits),
    ids: new Uint32Array(buffer, HEAD, count),
    position: wide(HEAD + 4 * count),
    velocity: wide(HEAD + 4 * count + 4 * count * dimensions),
    species: species.length === count && count > 0 ? species : undefined,
  };
};

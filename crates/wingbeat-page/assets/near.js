// Who is near a boid, from a frame: what can be shown where the steering is not known. In the shape
// of the JSON of `wingbeat explain`, with `decision.kind` "nearest" and without forces; `note` says
// why.
Wingbeat.near = (frame, id, source, note) => {
  const NEAREST = 7;
  const self = Wingbeat.find(frame.ids, id);
  if (self < 0) return null;
  const axes = [...Array(source.dimensions).keys()];
  const vector = (column, i) => axes.map((a) => column[3 * i + a]);
  const norm = (a) => Math.hypot(...a);
  const position = vector(frame.position, self);
  const known = !Number.isNaN(frame.velocity[3 * self]);
  const velocity = known ? vector(frame.velocity, self) : null;
  const sides = source.periodic ? axes.map((a) => source.box.max[a] - source.box.min[a]) : null;

  const offsetTo = (j) => {
    const offset = axes.map((a) => frame.position[3 * j + a] - position[a]);
    return sides ? offset.map((x, a) => x - sides[a] * Math.round(x / sides[a])) : offset;
  };
  const angle = (offset) => {
    const [size, speed] = [norm(offset), known ? norm(velocity) : 0];
    if (size === 0 || speed === 0) return null;
    const cos = offset.reduce((sum, x, a) => sum + x * velocity[a], 0) / (size * speed);
    return (Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI;
  };
  // The nearest so far, nearest first.
  const found = [];
  for (let j = 0; j < frame.ids.length; j++) {
    if (j === self) continue;
    const offset = offsetTo(j);
    const distance = norm(offset);
    if (found.length === NEAREST && distance >= found[NEAREST - 1].distance) continue;
    const moves = vector(frame.velocity, j);
    const seen = {
      id: frame.ids[j],
      offset,
      distance,
      angle: angle(offset),
      velocity: moves,
      coincident: distance === 0,
      only_near: false,
      adds: null,
    };
    found.splice(found.findIndex((one) => one.distance > distance) >>> 0, 0, seen);
    if (found.length > NEAREST) found.pop();
  }
  const sees = {
    radius: null,
    cos_half_view: null,
    near_radius: 0,
    nearest: NEAREST,
    out_of_sight: 0,
    beyond_cap: 0,
    neighbors: found,
  };
  return {
    scene: source.title, boid: id, step: frame.step, time: frame.time, position,
    origin: source.scene?.origin, velocity, note,
    decision: { kind: "nearest", sees }, steering: null, advance: null,
  };
};

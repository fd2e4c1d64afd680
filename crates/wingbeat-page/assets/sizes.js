// How long boids are drawn, in the scene's own lengths: never so long that those of a frame
// overlap.
Wingbeat.sizes = (source, spacing) => {
  // Pairs of boids that are looked at for one measurement, and the least time between two,
  // milliseconds.
  const PAIRS = 2e6;
  const EVERY = 700;
  let [nearest, measured, when] = [null, null, -Infinity];

  // The median distance to the nearest neighbor, of some boids spread over the frame; null of one
  // boid.
  const median = ({ position, ids: { length } }) => {
    if (length < 2) return null;
    const samples = Math.min(length, Math.max(24, Math.min(240, Math.floor(PAIRS / length))));
    const least = new Float64Array(samples);
    for (let k = 0; k < samples; k++) {
      const i = Math.floor((k * length) / samples);
      const [x, y, z] = position.subarray(3 * i, 3 * i + 3);
      let best = Infinity;
      for (let j = 0; j < length; j++) {
        const [dx, dy, dz] = [
          position[3 * j] - x,
          position[3 * j + 1] - y,
          position[3 * j + 2] - z,
        ];
        const away = dx * dx + dy * dy + dz * dz;
        if (away < best && j !== i) best = away;
      }
      least[k] = best;
    }
    return Math.sqrt(least.sort()[samples >> 1]);
  };

  const look = (frame) => {
    const clock = performance.now();
    if (frame === measured || clock - when < EVERY) return;
    [measured, when] = [frame, clock];
    const found = median(frame);
    // Slowly, so that nothing pulsates.
    if (found !== null) nearest = nearest === null ? found : nearest + 0.35 * (found - nearest);
  };

  // The length of a boid in a frame. Bodies have a size of their own (Wingbeat.radiiOf): this is
  // that of what stands for them where they would be a pixel or two.
  return (frame) => {
    look(frame);
    const wanted = spacing * (source.dimensions === 2 ? 0.85 : 0.4);
    return nearest === null ? wanted : Math.min(wanted, 0.8 * nearest);
  };
};

// The radius of the body of each species, for the shaders; null where boids are points.
Wingbeat.radiiOf = ({ radii }) => {
  // As many species as a flock can have.
  const MOST = 64;
  if (!radii?.some((radius) => radius > 0)) return null;
  return Float32Array.from({ length: MOST }, (_, k) => radii[k] ?? 0);
};

// Two frames that follow each other, as buffers for the graphics card: the same boids in the same
// order in both. A boid that is only in the first frame stays where it was until the second; a new
// boid appears with the second.
Wingbeat.pairs = (gl) => {
  const KEEP = 72;
  const cache = new Map();

  const clean = (velocity) => {
    for (let i = 0; i < velocity.length; i++) {
      if (!Number.isNaN(velocity[i])) continue;
      const copy = velocity.slice();
      for (let k = i; k < copy.length; k++) if (Number.isNaN(copy[k])) copy[k] = 0;
      return copy;
    }
    return velocity;
  };

  const aligned = (a, b) => {
    if (Wingbeat.sameIds(a.ids, b.ids)) return { position: b.position, velocity: b.velocity };
    const match = Wingbeat.matchIds(a.ids, b.ids);
    const position = a.position.slice();
    const velocity = new Float32Array(a.velocity.length);
    match.forEach((j, i) => {
      if (j < 0) return;
      position.set(b.position.subarray(3 * j, 3 * j + 3), 3 * i);
      velocity.set(b.velocity.subarray(3 * j, 3 * j + 3), 3 * i);
    });
    return { position, velocity };
  };

  const upload = (data) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  };

  const make = (a, b) => {
    const second = aligned(a, b);
    const data = {
      posA: a.position,
      velA: clean(a.velocity),
      posB: second.position,
      velB: clean(second.velocity),
    };
    return {
      a,
      b,
      ids: a.ids,
      span: b.time - a.time,
      ...data,
      ...buffered(data, a.species, a.ids.length),
    };
  };

  const buffered = (data, species, count) => {
    const buffers = Object.values(data).map(upload);
    if (species) buffers.push(upload(species));
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    buffers.forEach((buffer, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(2 + k);
      if (k < 4) gl.vertexAttribPointer(2 + k, 3, gl.FLOAT, false, 0, 0);
      else gl.vertexAttribPointer(2 + k, 1, gl.UNSIGNED_BYTE, false, 0, 0);
      gl.vertexAttribDivisor(2 + k, 1);
    });
    gl.bindVertexArray(null);
    const drop = () => {
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
      gl.deleteVertexArray(array);
    };
    return { count, species, array, drop };
  };

  return {
    drop() {
      cache.forEach((pair) => pair.drop());
      cache.clear();
    },
    // A pair of some of the boids only; the caller drops it.
    few({ posA, velA, posB, velB, species, span }, indices) {
      const pick = (column) =>
        Float32Array.from(
          indices.flatMap((i) => [column[3 * i], column[3 * i + 1], column[3 * i + 2]]),
        );
      const data = { posA: pick(posA), velA: pick(velA), posB: pick(posB), velB: pick(velB) };
      return {
        span,
        ...buffered(data, species && Uint8Array.from(indices, (i) => species[i]), indices.length),
      };
    },
    // The pair of these frames, from a cache whose least recently used entries go first.
    of(a, b) {
      const key = `${a.step} ${b.step}`;
      let held = cache.get(key);
      // A source may fetch a frame again.
      if (held && (held.a !== a || held.b !== b)) {
        held.drop();
        held = null;
      }
      cache.delete(key);
      cache.set(key, held ?? make(a, b));
      if (cache.size > KEEP) {
        const [oldest, pair] = cache.entries().next().value;
        pair.drop();
        cache.delete(oldest);
      }
      return cache.get(key);
    },
  };
};

// Where boid i of a pair is at a part of the way, as the shaders have it: [position, velocity].
Wingbeat.between = (pair, i, part, source) => {
  const { vec } = Wingbeat;
  const get = (column) => [column[3 * i], column[3 * i + 1], column[3 * i + 2]];
  const [a, va, b, vb] = [get(pair.posA), get(pair.velA), get(pair.posB), get(pair.velB)];
  const { span } = pair;
  const size = source.periodic ? vec.sub(source.box.max, source.box.min) : null;
  let d = vec.sub(b, a);
  if (size)
    d = d.map((x, k) =>
      size[k] > 0 ? x + size[k] * Math.round((((va[k] + vb[k]) / 2) * span - x) / size[k]) : x,
    );
  const tangent = (v) => {
    if (vec.norm(v) === 0) return d;
    const m = vec.scale(v, span);
    const [most, length] = [3 * vec.norm(d), vec.norm(m)];
    return length > most ? vec.scale(m, most / length) : m;
  };
  const [m0, m1] = [tangent(va), tangent(vb)];
  const [t, t2, t3] = [part, part * part, part * part * part];
  let p = a.map(
    (x, k) => x + m0[k] * (t3 - 2 * t2 + t) + d[k] * (3 * t2 - 2 * t3) + m1[k] * (t3 - t2),
  );
  if (size)
    p = p.map((x, k) =>
      size[k] > 0 ? x - size[k] * Math.floor((x - source.box.min[k]) / size[k]) : x,
    );
  const v =
    vec.norm(va) === 0 ? vb : vec.norm(vb) === 0 ? va : va.map((x, k) => x + (vb[k] - x) * part);
  return [p, v];
};

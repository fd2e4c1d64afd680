// Draws: trails, boids, then whatever lies over them. One call a frame; nothing is kept but buffers
// and programs.
Wingbeat.renderer = (canvas, source) => {
  const gl = canvas.getContext("webgl2", {
    antialias: true,
    alpha: true,
    premultipliedAlpha: true,
    powerPreference: "high-performance",
  });
  if (!gl) return null;
  const { vec, shaders } = Wingbeat;

  const program = ([vertex, fragment]) => {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
        throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = new Map();
    const place = (name) => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
      return places.get(name);
    };
    const set = (name, value) => {
      if (value instanceof Float32Array) gl.uniform1fv(place(name), value);
      else if (!Array.isArray(value)) gl.uniform1f(place(name), value);
      else
        gl[value.length === 16 ? "uniformMatrix4fv" : `uniform${value.length}fv`](
          place(name),
          ...(value.length === 16 ? [false, value] : [value]),
        );
    };
    return {
      use(values, whole = {}) {
        gl.useProgram(made);
        for (const [name, value] of Object.entries(values)) set(name, value);
        for (const [name, value] of Object.entries(whole)) gl.uniform1i(place(name), value);
      },
    };
  };
  const programs = Object.fromEntries(
    Object.entries(shaders).map(([name, texts]) => [name, program(texts)]),
  );

  // A dart in the plane; in space a slim pyramid, with fewer sides where there are many.
  const shape = () => {
    if (source.dimensions === 2) {
      const dart = [
        [0.62, 0, 0], [-0.38, 0.3, 0], [-0.2, 0, 0], [0.62, 0, 0], [-0.2, 0, 0], [-0.38, -0.3, 0],
      ];
      return dart.map((corner) => [corner, [0, 0, 1]]);
    }
    const sides = source.boids > 20000 ? 3 : 5;
    const ring = [...Array(sides).keys()].map((k) => {
      const angle = (2 * Math.PI * k) / sides + Math.PI / 2;
      return [-0.38, 0.24 * Math.cos(angle), 0.24 * Math.sin(angle)];
    });
    const faces = ring.map((corner, k) => [[0.62, 0, 0], corner, ring[(k + 1) % sides]]);
    for (let k = 1; k + 1 < sides; k++) faces.push([ring[0], ring[k + 1], ring[k]]);
    return faces.flatMap(([a, b, c]) => {
      const normal = vec.unit(vec.cross(vec.sub(b, a), vec.sub(c, a)));
      return [a, b, c].map((corner) => [corner, normal]);
    });
  };
  const form = (corners) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners.flat(2)), gl.STATIC_DRAW);
    return { buffer, count: corners.length };
  };
  const forms = { boids: form(shape()), bodies: form(Wingbeat.bodies.square) };
  const noRadii = new Float32Array(64);

  const lineArray = gl.createVertexArray();
  const lineBuffer = gl.createBuffer();
  gl.bindVertexArray(lineArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
  [[3, 0], [3, 12], [4, 24], [2, 40]].forEach(([count, offset], k) => {
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, count, gl.FLOAT, false, 48, offset);
    gl.vertexAttribDivisor(k, 1);
  });
  const faceArray = gl.createVertexArray();
  const faceBuffer = gl.createBuffer();
  gl.bindVertexArray(faceArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, faceBuffer);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.bindVertexArray(null);

  const boxSize = source.periodic ? vec.sub(source.box.max, source.box.min) : [0, 0, 0];
  const boxMin = source.periodic ? source.box.min : [0, 0, 0];
  const way = (pair) => ({ boxSize, boxMin, span: pair.span });

  // The colors of both themes; the one that is shown is on the card.
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
  let uploaded = null;
  const paint = (dark) => {
    if (uploaded === dark) return;
    uploaded = dark;
    const { width, height, bytes } = Wingbeat.colors.table(dark);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  };

  const solids = Wingbeat.solids(gl);

  return {
    gl,
    // camera; pair and part of the way; trails: [pair, until]s, the oldest first; look: colors and
    // sizes; obstacles: { lines, triangles } or null; the domain's edges among the boids, lines and
    // faces over them. `few`, if any, are drawn undimmed, and of them the one of index `only`
    // stands out.
    draw({ camera, pair, few, part, trails, look, obstacles, edges, lines, faces, only }) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      if (!pair) return;
      const flat = source.dimensions === 2;
      const reach = vec.norm(vec.sub(source.bounds.max, source.bounds.min)) / 2;
      const common = {
        view: camera.matrix,
        fog: [...look.fog, flat ? 0 : look.haze],
        depths: [Math.max(camera.distance - reach, 0), camera.distance + reach],
        speeds: source.speeds,
        isSpace: flat ? 0 : 1,
      };
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.disable(gl.DEPTH_TEST);
      paint(look.dark);
      solids.set(obstacles, look);
      // In the plane boids are over the obstacles, in space before and behind them.
      if (flat) solids.draw(programs, common, camera, look, canvas);
      if (trails.length > 0) this.trails(trails, common, look, camera);
      if (!flat) gl.enable(gl.DEPTH_TEST);
      this.boids(pair, common, { part, only: -1, dim: look.dim }, look, camera);
      this.lines(edges, camera);
      if (!flat) solids.draw(programs, common, camera, look, canvas);
      if (few) {
        // Drawn in front of all others, whatever their depth.
        gl.clear(gl.DEPTH_BUFFER_BIT);
        this.boids(few, common, { part, only, dim: 0 }, look, camera);
      }
      gl.disable(gl.DEPTH_TEST);
      for (const face of faces) {
        gl.bindVertexArray(faceArray);
        gl.bindBuffer(gl.ARRAY_BUFFER, faceBuffer);
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(face.corners), gl.STREAM_DRAW);
        programs.faces.use({ view: camera.matrix, paint: face.paint });
        gl.drawArrays(gl.TRIANGLES, 0, face.corners.length / 3);
      }
      this.lines(lines, camera);
      gl.bindVertexArray(null);
    },
    lines(lines, camera) {
      if (lines.length === 0) return;
      gl.bindVertexArray(lineArray);
      gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(lines.flat()), gl.STREAM_DRAW);
      programs.lines.use({ view: camera.matrix, screen: [canvas.width, canvas.height] });
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, lines.length);
    },
    // Those whose bodies are large enough to be seen as bodies, and all others as darts.
    boids(pair, common, values, look, camera) {
      const flat = source.dimensions === 2;
      const perLength =
        canvas.height / (2 * (flat ? camera.distance : Math.tan((20 * Math.PI) / 180)));
      const sizes = {
        pixels: [perLength, flat ? 0 : 1],
        radii: look.radii ?? noRadii,
        bodyPixels: look.bodyPixels,
      };
      const every = {
        ...common,
        ...way(pair),
        ...values,
        ...sizes,
        eye: camera.eye,
        ink: look.ink,
      };
      this.each("boids", pair, { ...every, size: look.size, leastPixels: look.leastPixels }, look);
      if (look.radii) this.each("bodies", pair, every, look);
    },
    each(name, pair, values, look) {
      gl.bindVertexArray(pair.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, forms[name].buffer);
      for (const [k, offset] of [[0, 0], [1, 12]]) {
        gl.enableVertexAttribArray(k);
        gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 24, offset);
        gl.vertexAttribDivisor(k, 0);
      }
      programs[name].use(values, { colorBy: look.colorBy });
      gl.drawArraysInstanced(gl.TRIANGLES, 0, forms[name].count, pair.count);
    },
    trails(trails, common, look, camera) {
      const pieces = trails.pieces ?? 1;
      // Lines, or strips as wide as a boid's tail.
      const { corners } = trails;
      const boid = Math.max((look.size * look.dpr) / camera.pixel, look.leastPixels);
      const width = Math.min(Math.max(0.22 * boid, 1.3 * look.dpr), 3.5 * look.dpr);
      const strip = { screen: [canvas.width, canvas.height], width };
      trails.forEach(([pair, until], k) => {
        gl.bindVertexArray(pair.array);
        // A trail has no shape of its own.
        gl.disableVertexAttribArray(0);
        gl.disableVertexAttribArray(1);
        const ages = {
          oldest: k / trails.length,
          newest: (k + 1) / trails.length,
          until,
          pieces,
          strength: look.trails,
          ...strip,
        };
        programs.trails.use(
          { ...common, ...way(pair), ...ages },
          { colorBy: look.colorBy, corners },
        );
        gl.drawArraysInstanced(
          corners === 2 ? gl.LINES : gl.TRIANGLES,
          0,
          corners * pieces,
          pair.count,
        );
      });
    },
  };
};

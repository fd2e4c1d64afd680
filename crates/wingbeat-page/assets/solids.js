// Obstacles, filled and with their edges. They are copied to the graphics card only when they are
// others than before.
Wingbeat.solids = (gl) => {
  const mesh = (fields, stride, divisor) => {
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    fields.forEach(([count, offset], k) => {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, count, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(k, divisor);
    });
    gl.bindVertexArray(null);
    return { array, buffer, count: 0 };
  };
  const faces = mesh([[3, 0]], 12, 0);
  const edges = mesh([[3, 0], [3, 12], [4, 24], [2, 40]], 48, 1);
  let [held, drawnFor] = [null, null];

  const fill = ({ buffer }, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  };

  return {
    // { lines: six numbers each, triangles: nine numbers each } or null. The same object again
    // means that nothing has moved.
    set(obstacles, look) {
      const same = obstacles === held;
      if (!same) {
        const triangles = obstacles?.triangles ?? [];
        faces.count = triangles.length / 3;
        if (faces.count > 0) fill(faces, Float32Array.from(triangles));
      }
      const style = `${look.dark} ${look.dpr}`;
      if (!same || style !== drawnFor) {
        const lines = obstacles?.lines ?? [];
        edges.count = lines.length / 6;
        const data = new Float32Array(12 * edges.count);
        const rest = [...look.solidEdge, 1, 1.6 * look.dpr, 0];
        for (let i = 0; i < edges.count; i++) {
          for (let k = 0; k < 6; k++) data[12 * i + k] = lines[6 * i + k];
          data.set(rest, 12 * i + 6);
        }
        if (edges.count > 0) fill(edges, data);
      }
      [held, drawnFor] = [obstacles, style];
    },
    // In the plane before the boids, opaque. In space after them, by their depth: boids in front
    // hide a surface, those behind are seen through it; of surfaces one behind the other only the
    // first is drawn.
    draw(programs, common, camera, look, canvas) {
      const inSpace = common.isSpace > 0;
      if (faces.count > 0) {
        const paint = [...look.solid, inSpace ? look.solidAlpha : 1];
        gl.bindVertexArray(faces.array);
        programs.solids.use({
          view: camera.matrix,
          eye: camera.eye,
          fog: common.fog,
          depths: common.depths,
          isSpace: common.isSpace,
          paint,
        });
        if (inSpace) {
          gl.enable(gl.CULL_FACE);
          gl.depthFunc(gl.LEQUAL);
          gl.colorMask(false, false, false, false);
          gl.drawArrays(gl.TRIANGLES, 0, faces.count);
          gl.colorMask(true, true, true, true);
        }
        gl.drawArrays(gl.TRIANGLES, 0, faces.count);
        gl.disable(gl.CULL_FACE);
        gl.depthFunc(gl.LESS);
      }
      if (edges.count > 0) {
        gl.bindVertexArray(edges.array);
        programs.lines.use({ view: camera.matrix, screen: [canvas.width, canvas.height] });
        gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, edges.count);
      }
    },
  };
};

// Small vectors and 4×4 matrices (column by column, as WebGL takes them).
Wingbeat.vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, k) => [a[0] * k, a[1] * k, a[2] * k],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ],
  norm: (a) => Math.hypot(a[0], a[1], a[2]),
  unit(a) {
    const size = Math.hypot(a[0], a[1], a[2]);
    return size > 0 ? [a[0] / size, a[1] / size, a[2] / size] : [0, 0, 0];
  },
  // Two units at right angles to a unit vector.
  frame(a) {
    const other = Math.abs(a[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const left = this.unit(this.cross(other, a));
    return [left, this.cross(a, left)];
  },
};

Wingbeat.mat = {
  perspective(fov, aspect, near, far) {
    const f = 1 / Math.tan(fov / 2);
    const depth = 1 / (near - far);
    return [
      f / aspect, 0, 0, 0,
      0, f, 0, 0,
      0, 0, (far + near) * depth, -1,
      0, 0, 2 * far * near * depth, 0,
    ];
  },
  ortho(halfWidth, halfHeight, near, far) {
    const depth = 1 / (near - far);
    return [
      1 / halfWidth, 0, 0, 0,
      0, 1 / halfHeight, 0, 0,
      0, 0, 2 * depth, 0,
      0, 0, (far + near) * depth, 1,
    ];
  },
  look(eye, right, up, back) {
    const { dot } = Wingbeat.vec;
    return [
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
    ];
  },
  times(a, b) {
    const out = new Array(16);
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 4; row++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
        out[column * 4 + row] = sum;
      }
    }
    return out;
  },
  // [x, y, z, w] before the division.
  project(m, p) {
    const row = (r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
    return [row(0), row(1), row(2), row(3)];
  },
};

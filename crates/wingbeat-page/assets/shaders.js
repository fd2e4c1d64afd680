// The shaders. Boids, trails and overlays share the way between two frames, which is the same as
// Wingbeat.between in JavaScript.
Wingbeat.shaders = (() => {
  const WAY = `
uniform vec3 boxMin, boxSize;   // boxSize 0: no periodic box
uniform float span;             // time from one frame to the other
// From a to b, through the image of b that the velocities point to: no streaks across the box.
vec3 wayFrom(vec3 a, vec3 va, vec3 b, vec3 vb) {
  vec3 d = b - a;
  if (boxSize.x > 0.0) {
    vec3 side = max(boxSize, vec3(1e-30));
    d += boxSize * round(((va + vb) * 0.5 * span - d) / side);
  }
  return d;
}
vec3 tangent(vec3 v, vec3 d) {
  vec3 m = v * span;
  float most = 3.0 * length(d), size = length(m);
  return size > most ? m * (most / size) : m;
}
// Cubic Hermite: through both places with both velocities; straight where a velocity is not known.
vec3 along(vec3 a, vec3 va, vec3 d, vec3 vb, float t) {
  vec3 m0 = va == vec3(0.0) ? d : tangent(va, d), m1 = vb == vec3(0.0) ? d : tangent(vb, d);
  float t2 = t * t, t3 = t2 * t;
  return a + m0 * (t3 - 2.0 * t2 + t) + d * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2);
}
vec3 inBox(vec3 p) {
  if (boxSize.x <= 0.0) return p;
  return p - boxSize * floor((p - boxMin) / max(boxSize, vec3(1e-30)));
}
vec3 facing(vec3 va, vec3 vb, vec3 d, float t) {
  vec3 v = mix(va, vb, t);
  if (va == vec3(0.0)) v = vb;
  if (vb == vec3(0.0)) v = va;
  return dot(v, v) > 0.0 ? v : d;
}`;

  const COLOR = Wingbeat.colors.reader;
  const HEAD = `#version 300 es
precision highp float;
uniform mat4 view;
`;
  const PAIR = `
layout(location = 2) in vec3 posA;
layout(location = 3) in vec3 velA;
layout(location = 4) in vec3 posB;
layout(location = 5) in vec3 velB;
layout(location = 6) in float species;
`;
  const FOG = `
uniform vec4 fog;               // colour, and how much of it at the far end
uniform vec2 depths;
vec3 fogged(vec3 color, float depth) {
  return mix(color, fog.rgb,
    fog.a * clamp((depth - depths.x) / max(depths.y - depths.x, 1e-9), 0.0, 1.0));
}`;

  // What a boid is drawn from: where it is, where it is headed, and its color.
  const STAND = `
layout(location = 0) in vec3 shape;
uniform float part, dim;
uniform vec2 pixels;            // pixels a length of 1 has at depth 1: perspective; else .y is 0
uniform vec3 eye, ink;
uniform float only;             // index of the one to stand out, or -1
vec3 place, velocity, forth, left, own;
float depth, perLength;
void stand() {
  vec3 d = wayFrom(posA, velA, posB, velB);
  place = inBox(along(posA, velA, d, velB, part));
  velocity = facing(velA, velB, d, part);
  forth = length(velocity) > 0.0 ? normalize(velocity) : vec3(1.0, 0.0, 0.0);
  left = abs(forth.z) < 0.98 ? normalize(cross(vec3(0.0, 0.0, 1.0), forth))
    : normalize(cross(vec3(1.0, 0.0, 0.0), forth));
  depth = (view * vec4(place, 1.0)).w;
  perLength = pixels.x / (pixels.y > 0.0 ? max(depth, 1e-9) : 1.0);
  own = colorOf(
    dot(velA + velB, velA + velB) > 0.0 ? mix(velA, velB, part) : d / max(span, 1e-9), species);
}`;

  const boids = [
    `${HEAD}${WAY}${COLOR}${PAIR}${FOG}${STAND}${Wingbeat.bodies.which}
layout(location = 1) in vec3 normal;
uniform float size, leastPixels;
out vec3 color;
void main() {
  stand();
  vec3 up = cross(forth, left);
  bool chosen = float(gl_InstanceID) == only;
  float s = max(size, leastPixels / perLength) * (chosen ? 1.5 : 1.0);
  gl_Position = view * vec4(place + (forth * shape.x + left * shape.y + up * shape.z) * s, 1.0);
  if (isBody(species, perLength)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  vec3 n = forth * normal.x + left * normal.y + up * normal.z;
  // Light from above and from the eye, so that shapes have a bright and a dark side from
  // everywhere.
  float lit = isSpace > 0.5
    ? 0.72 + 0.22 * max(n.z, 0.0) + 0.22 * max(dot(n, normalize(eye - place)), 0.0) : 1.0;
  color = chosen ? ink : fogged(mix(own * lit, fog.rgb, dim), depth);
}`,
    `#version 300 es
precision highp float;
in vec3 color;
out vec4 pixel;
void main() { pixel = vec4(color, 1.0); }`,
  ];

  const bodies = [`${HEAD}${WAY}${COLOR}${PAIR}uniform vec4 fog;
uniform vec2 depths;${STAND}${Wingbeat.bodies.which}${Wingbeat.bodies.vertex}`,
    Wingbeat.bodies.fragment];

  // From where a boid was to where it went, in pieces; the newest ends at the boid. A piece has
  // `corners` corners: 2 are a line as thin as can be, 6 a strip that is wider the newer it is.
  const trails = [
    `${HEAD}${WAY}${COLOR}${PAIR}${FOG}
uniform float pieces, until, oldest, newest, strength, width;
uniform int corners;
uniform vec2 screen;
out vec4 color;
void main() {
  int corner = gl_VertexID % corners;
  float k = float(gl_VertexID / corners);
  float t0 = until * k / pieces, t1 = until * (k + 1.0) / pieces;
  vec3 d = wayFrom(posA, velA, posB, velB);
  vec3 p0 = inBox(along(posA, velA, d, velB, t0)), p1 = inBox(along(posA, velA, d, velB, t1));
  bool second = corner == 1 || corner == 2 || corner == 4;
  float t = second ? t1 : t0;
  float fresh = mix(oldest, newest, t);
  vec4 a = view * vec4(p0, 1.0), b = view * vec4(p1, 1.0);
  gl_Position = second ? b : a;
  if (corners > 2) {
    vec2 way = (b.xy / b.w - a.xy / a.w) * screen;
    vec2 side = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0);
    float half_width = width * mix(0.4, 1.0, fresh)
      * (corner == 0 || corner == 1 || corner == 3 ? -0.5 : 0.5);
    gl_Position.xy += side * half_width * 2.0 / screen * gl_Position.w;
  }
  // A piece that leaves through one face and comes back through another is not drawn, nor what is
  // behind the eye.
  bool leaves = boxSize.x > 0.0 && any(greaterThan(abs(p1 - p0), boxSize * 0.5));
  if (leaves || a.w < 1e-4 || b.w < 1e-4) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  color = vec4(fogged(colorOf(mix(velA, velB, t), species), gl_Position.w), 1.0)
    * (strength * fresh * sqrt(fresh));
}`,
    `#version 300 es
precision highp float;
in vec4 color;
out vec4 pixel;
void main() { pixel = color; }`,
  ];

  // Lines some pixels wide, with a head where `head` is above 0.
  const lines = [
    `${HEAD}
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 paint;
layout(location = 3) in vec2 widths;   // of the line, and of its head
uniform vec2 screen;
out vec4 color;
vec4 clipped(vec4 at, vec4 other) {
  float least = 1e-4;
  return at.w >= least || other.w < least ? at : mix(at, other, (least - at.w) / (other.w - at.w));
}
void main() {
  vec4 a0 = view * vec4(from, 1.0), b0 = view * vec4(to, 1.0);
  vec4 a = clipped(a0, b0), b = clipped(b0, a0);
  vec2 pa = a.xy / a.w * screen * 0.5, pb = b.xy / b.w * screen * 0.5;
  vec2 way = pb - pa;
  float size = length(way);
  vec2 dir = size > 0.0 ? way / size : vec2(1.0, 0.0), side = vec2(-dir.y, dir.x);
  float head = min(widths.y * 1.7, size);
  vec2 neck = pb - dir * head;
  int k = gl_VertexID;
  vec2 p;
  vec4 depth = b;
  if (k < 6) {
    bool end = k == 1 || k == 2 || k == 4;
    float s = k == 0 || k == 1 || k == 3 ? -0.5 : 0.5;
    p = (end ? neck : pa) + side * s * widths.x;
    depth = end ? b : a;
  } else {
    p = k == 6 ? pb : neck + side * (k == 7 ? 0.5 : -0.5) * widths.y * (widths.y > 0.0 ? 1.0 : 0.0);
  }
  gl_Position = vec4(p / (screen * 0.5) * depth.w, depth.z, depth.w);
  if (a.w < 1e-4 || b.w < 1e-4) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  color = vec4(paint.rgb * paint.a, paint.a);
}`,
    trails[1],
  ];

  // Faces of one colour, seen through.
  const faces = [
    `${HEAD}
layout(location = 0) in vec3 at;
uniform vec4 paint;
out vec4 color;
void main() {
  gl_Position = view * vec4(at, 1.0);
  color = vec4(paint.rgb * paint.a, paint.a);
}`,
    trails[1],
  ];

  // Obstacles, of one color; in space lit from above and from the eye, each triangle as a flat
  // face.
  const solids = [
    `${HEAD}
layout(location = 0) in vec3 at;
out vec3 place;
out float depth;
void main() {
  gl_Position = view * vec4(at, 1.0);
  place = at;
  depth = gl_Position.w;
}`,
    `#version 300 es
precision highp float;
${FOG}
uniform vec4 paint;
uniform vec3 eye;
uniform float isSpace;
in vec3 place;
in float depth;
out vec4 pixel;
void main() {
  vec3 color = paint.rgb;
  if (isSpace > 0.5) {
    vec3 n = normalize(cross(dFdx(place), dFdy(place)));
    color = fogged(color * (0.55 + 0.25 * n.z + 0.4 * abs(dot(n, normalize(eye - place)))), depth);
  }
  pixel = vec4(color * paint.a, paint.a);
}`,
  ];

  return { boids, bodies, trails, lines, faces, solids };
})();

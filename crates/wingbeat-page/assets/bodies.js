// Boids that have bodies, to scale: discs in the plane, with a dart in them that points ahead; in
// space balls, with a cap of another color on the side ahead. Bodies of a pixel or two are drawn as
// boids without one are: what is too small for these is left to those.
Wingbeat.bodies = (() => {
  // Which of both a boid is drawn as. `bodyPixels` is the least radius of a body, in pixels.
  const which = `
uniform float radii[64];        // of each species; 0: no body
uniform float bodyPixels;
bool isBody(float kind, float perLength) {
  float radius = radii[int(kind)];
  return radius > 0.0 && radius * perLength >= bodyPixels;
}`;

  // Follows what all boids have: place, heading and color.
  const vertex = `
out vec2 at;                    // in radii; in the plane the first is ahead
flat out vec3 color, mark, ahead, rise;
flat out float haze, inPixels, hasHeading;
void main() {
  stand();
  bool chosen = float(gl_InstanceID) == only;
  float radius = radii[int(species)];
  inPixels = radius * perLength;
  vec3 back = normalize(eye - place);
  vec3 right = isSpace > 0.5 ? normalize(cross(vec3(0.0, 0.0, 1.0), back)) : forth;
  vec3 up = isSpace > 0.5 ? cross(back, right) : left;
  // A pixel more on each side, for a soft edge.
  at = shape.xy * (1.0 + 1.0 / max(inPixels, 1.0));
  gl_Position = view * vec4(place + (right * at.x + up * at.y) * radius, 1.0);
  if (!isBody(species, perLength)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  ahead = vec3(dot(forth, right), dot(forth, up), dot(forth, back));
  rise = vec3(right.z, up.z, back.z);
  hasHeading = length(velocity) > 0.0 ? 1.0 : 0.0;
  haze = chosen ? 0.0
    : fog.a * clamp((depth - depths.x) / max(depths.y - depths.x, 1e-9), 0.0, 1.0);
  color = chosen ? ink : mix(own, fog.rgb, dim);
  mark = mix(color, fog.rgb, 0.8);
}`;

  const fragment = `#version 300 es
precision highp float;
uniform vec4 fog;
uniform float isSpace;
in vec2 at;
flat in vec3 color, mark, ahead, rise;
flat in float haze, inPixels, hasHeading;
out vec4 pixel;
float covered(float inside) { return clamp(inside * inPixels + 0.5, 0.0, 1.0); }
void main() {
  float away = length(at), inside = covered(1.0 - away), lit = 1.0, nose, rim = 0.0;
  if (isSpace > 0.5) {
    if (inside < 0.5) discard;
    inside = 1.0;
    vec3 n = vec3(at, sqrt(max(1.0 - away * away, 0.0)));
    lit = 0.5 + 0.22 * max(dot(n, rise), 0.0) + 0.44 * n.z;
    nose = covered(dot(n, ahead) - 0.8);
  } else {
    // Between the two sides that meet ahead, and before the notch.
    float side = abs(at.y);
    nose = covered(
      min(0.48 * (0.76 - at.x) - 1.22 * side, 1.31 * (at.x + 0.22 + 0.5 * side)) / 1.31);
    // Bodies that touch stay apart for the eye.
    float large = clamp((inPixels - 3.0) / 3.0, 0.0, 1.0);
    rim = 0.45 * large * covered(away - 1.0 + 1.5 / inPixels);
    nose *= large;
  }
  vec3 shown = mix(mix(color, mark, nose * hasHeading) * lit, fog.rgb, max(haze, rim));
  pixel = vec4(shown * inside, inside);
}`;

  const square = [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].map(
    ([x, y]) => [[x, y, 0], [0, 0, 1]],
  );

  return { which, vertex, fragment, square };
})();

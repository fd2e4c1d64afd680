// What colors say: the tables of crates/wingbeat-render/src/color.rs, in Björn Ottosson's
// perceptual space OKLCH, so that equal steps look equally far apart. Shaders and legends take them
// from here.
Wingbeat.colors = (() => {
  const HUES = 256;
  const CLIMBS = 9;
  const SPECIES = 64;
  const themes = {
    // Lightness and chroma of headings, what climbing adds to the lightness, lightness and hue of
    // the slowest and the fastest (the slowest stand out from the background as well, if less than
    // the fastest), the middle lightness of species.
    dark: {
      wheel: [0.78, 0.135],
      climb: 0.12,
      speeds: [[0.6, 5.05], [0.95, 8.1]],
      species: 0.78,
      rest: [0.745, 0.769, 0.816],
    },
    light: {
      wheel: [0.58, 0.125],
      climb: -0.12,
      speeds: [[0.7, 8.1], [0.3, 5.05]],
      species: 0.54,
      rest: [0.431, 0.455, 0.502],
    },
  };
  // Lightness (less the middle one) and hue of the first species, apart also for those who see no
  // red, green or blue.
  const species = [
    [0.2, 4.54], [0, 1.26], [0.04, 2.83], [-0.19, 5.08], [0.2, 1.79], [-0.2, 0.76], [0.03, 5.38],
    [-0.19, 3.31],
  ];

  const oklch = (lightness, chroma, hue) => {
    const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    const curved = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
    return linear.map((x) => Math.min(Math.max(curved(x), 0), 1));
  };
  const theme = (dark) => (dark ? themes.dark : themes.light);

  const colors = {
    oklch,
    // Of a direction; `rise` from -1, straight down, to 1.
    heading(turn, rise, dark) {
      const { wheel, climb } = theme(dark);
      return oklch(wheel[0] + climb * rise, wheel[1] * (1 - 0.3 * rise * rise), turn);
    },
    // Of a share of the way from the slowest to the fastest.
    speed(share, dark) {
      const [slow, fast] = theme(dark).speeds;
      return oklch(
        slow[0] + (fast[0] - slow[0]) * share,
        0.14,
        slow[1] + (fast[1] - slow[1]) * share,
      );
    },
    // From the ninth on the eight come again with other hues and paler.
    species(k, dark) {
      const { species: lightness, wheel: [, chroma] } = theme(dark);
      const [lighter, hue] = species[k % species.length];
      const round = Math.floor((k % SPECIES) / species.length);
      return oklch(
        lightness + lighter * 0.7,
        chroma * 0.95 * (1 - 0.09 * round),
        hue + 0.37 * round,
      );
    },
    // All of them for a texture: a row of headings for each climb, a row of speeds, a row of
    // species with the one of what is at rest.
    table(dark) {
      const bytes = new Uint8Array(4 * HUES * (CLIMBS + 2));
      const put = (row, k, color) =>
        bytes.set([...color.map((x) => Math.round(x * 255)), 255], 4 * (row * HUES + k));
      for (let k = 0; k < HUES; k++) {
        for (let row = 0; row < CLIMBS; row++)
          put(row, k, colors.heading((2 * Math.PI * k) / HUES, (2 * row) / (CLIMBS - 1) - 1, dark));
        put(CLIMBS, k, colors.speed(k / (HUES - 1), dark));
        put(CLIMBS + 1, k, k < SPECIES ? colors.species(k, dark) : theme(dark).rest);
      }
      return { width: HUES, height: CLIMBS + 2, bytes };
    },
    // How a shader reads the table.
    reader: `
uniform highp sampler2D colors;
uniform int colorBy;            // 0 heading, 1 speed, 2 species
uniform vec2 speeds;
uniform float isSpace;
vec3 colorOf(vec3 v, float species) {
  float speed = length(v);
  ivec2 at = ivec2(${HUES - 1}, ${CLIMBS + 1});
  if (colorBy == 1) {
    float share = clamp((speed - speeds.x) / max(speeds.y - speeds.x, 1e-12), 0.0, 1.0);
    at = ivec2(int(share * ${HUES - 1}.0 + 0.5), ${CLIMBS});
  } else if (colorBy == 2) {
    at.x = int(species) % ${SPECIES};
  } else if (speed > 0.0) {
    int turn = int(floor(atan(v.y, v.x) * ${(HUES / (2 * Math.PI)).toFixed(6)} + ${HUES}.5));
    at = ivec2(turn % ${HUES},
      int((isSpace * v.z / speed + 1.0) * ${((CLIMBS - 1) / 2).toFixed(1)} + 0.5));
  }
  return texelFetch(colors, at, 0).rgb;
}`,
  };
  return colors;
})();

Wingbeat.css = (color) => `rgb(${color.map((x) => Math.round(x * 255)).join(" ")})`;

// The parts of a decision: each has a color of its own, the sum that of letters.
Wingbeat.termColor = (term, dark) => {
  const known = { walls: 1.4, obstacles: 0.9, interactions: 5.95 };
  const numbered = [5.2, 3.35, 1.9, 4.8, 0.1, 2.35];
  const [, kind, place] = /^(drive|rule)\[(\d+)\]$/.exec(term) ?? [];
  const hue = kind
    ? numbered[(Number(place) + (kind === "rule" ? 3 : 0)) % numbered.length]
    : (known[term] ?? Wingbeat.rules.find(({ name }) => name === term)?.hue);
  if (hue === undefined) return dark ? [0.93, 0.95, 1.0] : [0.1, 0.13, 0.2];
  return Wingbeat.colors.oklch(dark ? 0.77 : 0.54, 0.155, hue);
};

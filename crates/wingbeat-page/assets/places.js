// Exits and sources: light outlines in the picture, and their names over it.
Wingbeat.places = (source, canvas, signal) => {
  const layer = document.createElement("div");
  layer.className = "places";
  layer.setAttribute("aria-hidden", "true");
  canvas.after(layer);
  signal.addEventListener("abort", () => layer.remove());
  const hues = { exit: 2.6, source: 4.4 };
  let [held, labels] = [null, []];

  // A name stands below the lowest point of an outline, in its middle.
  const follow = () => {
    if (source.places === held) return;
    held = source.places;
    labels = (held ?? []).map(({ kind, name, lines }) => {
      const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
      lines.forEach(
        (x, k) => ([min[k % 3], max[k % 3]] = [Math.min(min[k % 3], x), Math.max(max[k % 3], x)]),
      );
      const text = document.createElement("span");
      text.textContent = name;
      text.title = kind;
      return { text, kind, lines, at: [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2] };
    });
    layer.replaceChildren(...labels.map(({ text }) => text));
  };

  return {
    lines(look) {
      follow();
      return labels.flatMap(({ kind, lines }) => {
        const color = Wingbeat.colors.oklch(look.dark ? 0.77 : 0.5, 0.11, hues[kind] ?? 2.6);
        return Array.from({ length: lines.length / 6 }, (_, i) => [
          ...lines.slice(6 * i, 6 * i + 6), ...color, 0.7, 1.4 * look.dpr, 0,
        ]);
      });
    },
    // Names where the camera now has them.
    name(camera, dark) {
      labels.forEach(({ text, kind, at }) => {
        const seen = camera.screen(at);
        text.hidden = !seen;
        if (!seen) return;
        text.style.transform =
          `translate(${seen[0].toFixed(1)}px, ${seen[1].toFixed(1)}px) ` + "translate(-50%, 2px)";
        text.style.color = Wingbeat.css(
          Wingbeat.colors.oklch(dark ? 0.82 : 0.45, 0.09, hues[kind] ?? 2.6),
        );
      });
    },
  };
};

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
    labels = (held ?? []).map(({ kind, name, lines, open }) => {
      const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
      lines.forEach(
        (x, k) => ([min[k % 3], max[k % 3]] = [Math.min(min[k % 3], x), Math.max(max[k % 3], x)]),
      );
      const text = document.createElement("span");
      text.title = kind;
      const at = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
      return { text, name, kind, lines, open: open ?? [0, null], at };
    });
    layer.replaceChildren(...labels.map(({ text }) => text));
  };

  // Each line in so many dashes.
  const DASHES = 9;
  const dashed = (lines, color, look) => {
    const pieces = [];
    for (let i = 0; i < lines.length; i += 6) {
      const [from, to] = [lines.slice(i, i + 3), lines.slice(i + 3, i + 6)];
      const at = (k) => from.map((x, a) => x + ((to[a] - x) * k) / DASHES);
      for (let k = 0; k < DASHES; k += 2)
        pieces.push([...at(k), ...at(k + 1), ...color, 0.7, 1.4 * look.dpr, 0]);
    }
    return pieces;
  };

  const isOpen = ({ open: [opens, closes] }, now) =>
    now >= opens && (closes === null || now < closes);

  return {
    // As they are at a time: an exit that is closed then is gray and dashed, and its name says so.
    lines(look, now) {
      follow();
      return labels.flatMap((label) => {
        const { kind, lines } = label;
        const chroma = isOpen(label, now) ? 0.11 : 0;
        const color = Wingbeat.colors.oklch(look.dark ? 0.77 : 0.5, chroma, hues[kind] ?? 2.6);
        if (chroma === 0) return dashed(lines, color, look);
        return Array.from({ length: lines.length / 6 }, (_, i) => [
          ...lines.slice(6 * i, 6 * i + 6), ...color, 0.7, 1.4 * look.dpr, 0,
        ]);
      });
    },
    // Names where the camera now has them.
    name(camera, dark, now) {
      follow();
      labels.forEach((label) => {
        const { text, name, kind, at } = label;
        const seen = camera.screen(at);
        text.hidden = !seen;
        if (!seen) return;
        const isClosed = !isOpen(label, now);
        const said = isClosed ? `${name} (closed)` : name;
        if (text.textContent !== said) text.textContent = said;
        text.style.transform =
          `translate(${seen[0].toFixed(1)}px, ${seen[1].toFixed(1)}px) ` + "translate(-50%, 2px)";
        text.style.color = Wingbeat.css(
          Wingbeat.colors.oklch(dark ? 0.82 : 0.45, isClosed ? 0 : 0.09, hues[kind] ?? 2.6),
        );
      });
    },
  };
};

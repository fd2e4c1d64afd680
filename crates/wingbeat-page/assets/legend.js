// What a picture says beside the boids: a scale bar, and what their colors mean. The same as below
// the pictures of `wingbeat render`. `resized` is called when it has become higher or lower.
Wingbeat.legend = (element, source, resized, signal) => {
  const part = (name) => element.querySelector(`[data-key="${name}"]`);
  const [bar, barText, wheel, text, species] =
    ["bar", "length", "wheel", "text", "species"].map(part);
  const toggle = part("toggle");
  const unit = source.unit ?? "units";
  const flat = source.dimensions === 2;
  const { colors } = Wingbeat;
  const said = {};
  // Runs only when what it depends on is another than the last time.
  const once = (what, key, act) => {
    if (said[what] === key) return;
    said[what] = key;
    act();
  };

  toggle.addEventListener("click", () => {
    const open = element.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(open));
    resized();
  }, { signal });

  // The longest of 1, 2, 5, 10, … that is at most this.
  const roundLength = (most) => {
    const decade = 10 ** Math.floor(Math.log10(most));
    return [5, 2, 1].find((times) => times * decade <= most) * decade;
  };

  const scaleBar = (camera) => {
    const length = roundLength(camera.pixel * Math.min(120, 0.2 * camera.size[0]));
    if (!Number.isFinite(length)) return;
    const decimals = Math.max(0, -Math.floor(Math.log10(length) + 1e-9));
    const shown =
      length < 1e-4 || length >= 1e6 ? length.toExponential(0) : length.toFixed(decimals);
    bar.style.width = `${length / camera.pixel}px`;
    once(
      "length",
      shown,
      () =>
        (barText.textContent = shown === "1" && unit === "units" ? "1 unit" : `${shown} ${unit}`),
    );
  };

  // The compass as the camera sees it: a boid has the color of the rim in its direction.
  const drawWheel = (camera, dark) => {
    const size = wheel.clientWidth * Math.min(window.devicePixelRatio || 1, 2);
    if (size === 0) return;
    wheel.width = wheel.height = size;
    const pen = wheel.getContext("2d");
    const up = camera.up ?? [0, 1, 0];
    const [middle, radius] = [size / 2, size * 0.4];
    for (let k = 0; k < 96; k++) {
      const turn = (2 * Math.PI * k) / 96;
      const at = [camera.right, up].map(
        (axis) => axis[0] * Math.cos(turn) + axis[1] * Math.sin(turn),
      );
      pen.fillStyle = Wingbeat.css(colors.heading(turn, 0, dark));
      pen.beginPath();
      pen.arc(middle + radius * at[0], middle - radius * at[1], size * 0.085, 0, 7);
      pen.fill();
    }
  };

  const ramp = (dark) =>
    `linear-gradient(90deg, ${[...Array(17).keys()]
      .map((k) => Wingbeat.css(colors.speed(k / 16, dark)))
      .join(", ")})`;
  const number = (value) => Wingbeat.digits(value, 3);

  const speedBar = (dark) => {
    const [slow, fast] = source.speeds;
    const name = document.createElement("span");
    name.textContent = "speed";
    const line = document.createElement("i");
    line.className = "ramp";
    line.style.background = ramp(dark);
    const [low, high] = [slow, fast].map((value) => {
      const shown = document.createElement("b");
      shown.textContent = number(value);
      return shown;
    });
    const per = source.unit ? Wingbeat.spelled("length/time", source) : `${unit} per time`;
    text.replaceChildren(name, low, line, high, document.createTextNode(per));
  };

  const speciesList = (dark) => {
    species.replaceChildren(
      ...(source.species ?? []).map((name, k) => {
        const item = document.createElement("li");
        const dot = document.createElement("i");
        dot.style.background = Wingbeat.css(colors.species(k, dark));
        item.append(dot, name);
        return item;
      }),
    );
  };

  return {
    show(camera, { color, dark }) {
      scaleBar(camera);
      once("kind", color, () => {
        wheel.hidden = color !== "heading";
        species.hidden = color !== "species";
        text.hidden = color === "species";
        element.classList.toggle("many", color === "species" && (source.species ?? []).length > 6);
      });
      if (color === "heading") {
        const heading = flat ? "heading" : `heading, ${dark ? "lighter" : "darker"}: up`;
        once("text", heading, () => (text.textContent = heading));
        const view = flat ? "" : [...camera.right, ...(camera.up ?? [])].map((x) => x.toFixed(2));
        once("wheel", `${dark} ${wheel.clientWidth} ${view}`, () => drawWheel(camera, dark));
      } else if (color === "speed") {
        once("text", `${color} ${dark} ${source.speeds.map(number)}`, () => speedBar(dark));
      } else {
        once("species", `${dark} ${source.species}`, () => speciesList(dark));
      }
      once("height", element.offsetHeight, resized);
    },
  };
};

// The chart under the timeline: observables over time, each on a scale of its own from 0 to its
// largest value (or to 1), and where we are. Left of it, in each curve's color, stand the two ends
// of its scale; below it, the time.
Wingbeat.chart = (canvas, legend, source, signal) => {
  const hidden = new Set(["milling", "nearest_neighbor_distance"]);
  // How people move is asked for less often than how many are left.
  const { names: all = [], counts = 0 } = source.observables ?? {};
  if (counts > 0) hidden.add("mean_speed");
  const hues = ["--chart-1", "--chart-2", "--chart-3", "--chart-4"];
  // More curves than hues cannot be told apart: those by exit are shown when they are asked for.
  if (counts > hues.length) all.slice(2, counts).forEach((name) => hidden.add(name));
  const unitScale = new Set(["polarization", "milling"]);
  let buttons = [];

  const columns = () => source.observables ?? { time: [], names: [], values: [] };
  const isCount = (k) => k < (columns().counts ?? 0);
  const label = (name) =>
    name.replaceAll("_", " ").replace("nearest neighbor distance", "nearest distance");
  const FONT = "10px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  const LINE = 12;
  let left = 0;
  const digits = (value, k) => {
    if (value === null || value === undefined) return "–";
    return isCount(k) ? value.toLocaleString("en") : Wingbeat.digits(value, 3);
  };

  const build = () => {
    const { names } = columns();
    legend.replaceChildren();
    buttons = names.map((name, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      button.title = `Show or hide ${label(name)}`;
      button.style.setProperty("--hue", `var(${hues[k % hues.length]})`);
      button.innerHTML = `<i></i><span>${label(name)}</span> <b>–</b>`;
      button.addEventListener("click", () => {
        if (!hidden.delete(name)) hidden.add(name);
        button.setAttribute("aria-pressed", String(!hidden.has(name)));
        chart.stale = true;
      });
      legend.append(button);
      return button;
    });
  };

  // The last index whose time is not after `time`.
  const indexAt = (times, time) => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // A curve that is shown: its values, its color, and where its scale ends.
  const curve = (name, column, hue, style, k) => {
    if (hidden.has(name)) return null;
    let [least, most] = [0, unitScale.has(name) ? 1 : 0];
    const { values, counts } = columns();
    for (const one of isCount(k) ? values.slice(0, counts) : [column]) {
      for (const value of one) {
        if (value > most) most = value;
        if (value !== null && value < least) least = value;
      }
    }
    return { column, least, most, color: style.getPropertyValue(hue), isCount: isCount(k) };
  };

  // Writes the ends of the scales; gives how much room they take. A narrow chart has room for two.
  const scales = (pen, shown, wide, bottom) => {
    let x = 0;
    // Numbers of boids are on one scale.
    const own = shown.filter(({ isCount }, k) => !isCount || !shown[k - 1]?.isCount);
    for (const { least, most, color } of own.slice(0, wide < 480 ? 2 : 4)) {
      const ends = [most, least].map((value) => Wingbeat.digits(value, 2));
      const room = Math.max(...ends.map((text) => pen.measureText(text).width));
      pen.fillStyle = color;
      pen.textAlign = "right";
      ends.forEach((text, k) => {
        pen.textBaseline = k === 0 ? "top" : "bottom";
        pen.fillText(text, x + 5 + room, k === 0 ? 3 : bottom - 1);
      });
      x += room + 7;
    }
    return x > 0 ? Math.ceil(x) + 3 : 0;
  };

  // Round times below the curves, the last of them "time".
  const ticks = (pen, area, style) => {
    const [first, last] = chart.span();
    pen.fillStyle = style.getPropertyValue("--soft");
    pen.textBaseline = "bottom";
    pen.textAlign = "right";
    const name = source.timeUnit ? `time, ${source.timeUnit}` : "time";
    const end = area.left + area.width - 4;
    const base = area.bottom + LINE + 2;
    pen.fillText(name, end, base);
    const free = end - pen.measureText(name).width - 8;
    const least = ((last - first) * 64) / Math.max(area.width, 64);
    const decade = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find((times) => times * decade >= least) * decade;
    if (!(step > 0 && Number.isFinite(step))) return;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let k = Math.ceil(first / step - 1e-9); k * step <= last + 1e-9 * step; k++) {
      const text = (k * step).toFixed(decimals);
      const x = area.left + chart.place(k * step) * area.width;
      const half = pen.measureText(text).width / 2;
      const middle = Math.max(x, area.left + half + 2);
      if (middle + half > free) break;
      pen.textAlign = "center";
      pen.fillText(text, middle, base);
      pen.globalAlpha = 0.25;
      pen.fillRect(x, area.top - 4, 1, area.bottom + 7 - area.top);
      pen.globalAlpha = 1;
    }
  };

  const line = (pen, area, { column, least, most, color }, time, filled) => {
    const y = (value) =>
      area.bottom -
      (most > least ? (value - least) / (most - least) : 0) * (area.bottom - area.top);
    [pen.strokeStyle, pen.fillStyle, pen.lineWidth, pen.lineJoin] = [color, color, 1.6, "round"];
    pen.beginPath();
    let isDown = false;
    let [first, last] = [0, 0];
    // No more points than pixels.
    const stride = Math.max(1, Math.floor(time.length / area.width));
    for (let i = 0; i < time.length; i += stride) {
      if (column[i] === null) {
        isDown = false;
        continue;
      }
      const x = area.left + chart.place(time[i]) * area.width;
      if (!isDown) first = x;
      pen[isDown ? "lineTo" : "moveTo"](x, y(column[i]));
      [isDown, last] = [true, x];
    }
    pen.stroke();
    if (!filled || !isDown) return;
    pen.lineTo(last, area.bottom + 3);
    pen.lineTo(first, area.bottom + 3);
    pen.globalAlpha = 0.12;
    pen.fill();
    pen.globalAlpha = 1;
  };

  const chart = {
    stale: true,
    // The x of a time, 0 to 1.
    place(time) {
      const [first, last] = chart.span();
      return last > first ? (time - first) / (last - first) : 0;
    },
    span() {
      const count = source.frames();
      if (count) return [source.time(0), source.time(count - 1)];
      const { time } = columns();
      return time.length ? [time[0], time[time.length - 1]] : [0, 1];
    },
    draw(now) {
      const { time, names, values } = columns();
      if (buttons.length !== names.length) build();
      const dpr = window.devicePixelRatio || 1;
      const [width, height] = [
        Math.round(canvas.clientWidth * dpr),
        Math.round(canvas.clientHeight * dpr),
      ];
      if (width === 0 || height === 0) return;
      if (canvas.width !== width || canvas.height !== height)
        [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext("2d");
      const style = getComputedStyle(canvas);
      pen.setTransform(dpr, 0, 0, dpr, 0, 0);
      pen.clearRect(0, 0, width, height);
      const shown =
        time.length === 0
          ? []
          : names
              .map((name, k) => curve(name, values[k], hues[k % hues.length], style, k))
              .filter(Boolean);
      const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
      pen.font = FONT;
      const right = scales(pen, shown, wide, high - LINE);
      if (right !== left) {
        left = right;
        canvas.parentElement.style.setProperty("--left", `${left}px`);
      }
      const area = { left, width: wide - left, top: 4, bottom: high - LINE - 3 };
      ticks(pen, area, style);
      shown.forEach((one, k) => line(pen, area, one, time, k === 0));
      const x = left + chart.place(now) * area.width;
      pen.fillStyle = style.getPropertyValue("--ink");
      pen.fillRect(Math.min(Math.max(x - 0.75, left), wide - 1.5), 0, 1.5, high - LINE);
      pen.beginPath();
      pen.arc(Math.min(Math.max(x, left + 4), wide - 4), (high - LINE) / 2, 4, 0, 7);
      pen.fill();
      if (time.length > 0) {
        const i = indexAt(time, now);
        buttons.forEach(
          (button, k) => (button.lastElementChild.textContent = digits(values[k][i], k)),
        );
      }
      chart.stale = false;
    },
  };
  const resized = new ResizeObserver(() => (chart.stale = true));
  resized.observe(canvas);
  signal.addEventListener("abort", () => resized.disconnect());
  return chart;
};

// A number in at most so many digits, without zeros at its end: for ends of ranges and factors.
Wingbeat.plain = (value, count) => {
  const short = Number(value.toPrecision(count));
  return Math.abs(short) >= 10 ** 6 ? short.toExponential().replace("+", "") : String(short);
};

// A dotted key in words: species.prey.agent.max_speed is "prey max speed".
Wingbeat.keyInWords = (key) => {
  const [first, ...rest] = key.split(".");
  const isNamed = ["species", "interaction", "drive", "exit", "source", "obstacle"];
  const isPlain = first === "model" || first === "agent";
  const parts = isPlain || isNamed.includes(first) ? rest : [first, ...rest];
  return parts.filter((part) => part !== "agent").join(" ").replaceAll("_", " ");
};

// What lies between two ends, in words where one of them is there only so that there is one.
Wingbeat.range = ([low, high]) => {
  const [isTiny, isHuge] = [low > 0 && low <= 1e-6, high >= 1e6];
  if (low <= -1e6 && isHuge) return "any number";
  const from = isTiny ? "above 0" : Wingbeat.plain(low, 6);
  if (isHuge) return isTiny ? from : `${from} and above`;
  const to = Wingbeat.plain(high, 6);
  return isTiny ? `${from}, at most ${to}` : `${from} to ${to}`;
};

// A unit as the key table has it, in those of the source: "m/s" for "length/time".
Wingbeat.spelled = (unit, { unit: length, timeUnit: time }) =>
  unit.replace("length", length ?? "length").replace("time", time ?? "time");

// A number in so many digits that say something.
Wingbeat.digits = (value, count) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10 ** 6 || size < 1e-4) return value.toExponential(count - 1);
  return value.toFixed(Math.max(0, Math.min(6, count - 1 - Math.floor(Math.log10(size)))));
};

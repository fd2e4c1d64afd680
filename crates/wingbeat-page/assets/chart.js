// The chart under the timeline: observables over time, each on a scale of its own, and where we are.
Wingbeat.chart = (canvas, legend, source, signal) => {
  const hidden = new Set(["milling", "nearest_neighbor_distance"]);
  const hues = ["--chart-1", "--chart-2", "--chart-3", "--chart-4"];
  const unitScale = new Set(["polarization", "milling"]);
  let buttons = [];

  const columns = () => source.observables ?? { time: [], names: [], values: [] };
  const label = (name) => name.replaceAll("_", " ").replace("nearest neighbor distance", "nearest distance");
  const digits = (value) => (value === null || value === undefined ? "–" : Wingbeat.digits(value, 3));

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
      const [width, height] = [Math.round(canvas.clientWidth * dpr), Math.round(canvas.clientHeight * dpr)];
      if (width === 0 || height === 0) return;
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext("2d");
      const style = getComputedStyle(canvas);
      pen.clearRect(0, 0, width, height);
      const pad = 5 * dpr;
      const y = (share) => height - pad - share * (height - 2 * pad);
      pen.lineJoin = "round";
      names.forEach((name, k) => {
        if (hidden.has(name) || time.length === 0) return;
        const column = values[k];
        let most = unitScale.has(name) ? 1 : 0;
        for (const value of column) if (value > most) most = value;
        const color = style.getPropertyValue(hues[k % hues.length]);
        pen.strokeStyle = color;
        pen.lineWidth = 1.6 * dpr;
        pen.beginPath();
        let pen_down = false;
        let [first, last] = [0, 0];
        // No more points than pixels.
        const stride = Math.max(1, Math.floor(time.length / width));
        for (let i = 0; i < time.length; i += stride) {
          if (column[i] === null) {
            pen_down = false;
            continue;
          }
          const x = chart.place(time[i]) * width;
          if (!pen_down) first = x;
          pen[pen_down ? "lineTo" : "moveTo"](x, y(most > 0 ? column[i] / most : 0));
          [pen_down, last] = [true, x];
        }
        pen.stroke();
        if (k === 0 && pen_down) {
          pen.lineTo(last, height);
          pen.lineTo(first, height);
          pen.globalAlpha = 0.12;
          pen.fillStyle = color;
          pen.fill();
          pen.globalAlpha = 1;
        }
      });
      const x = chart.place(now) * width;
      pen.fillStyle = style.getPropertyValue("--ink");
      pen.fillRect(Math.min(Math.max(x - 0.75 * dpr, 0), width - 1.5 * dpr), 0, 1.5 * dpr, height);
      pen.beginPath();
      pen.arc(Math.min(Math.max(x, 4 * dpr), width - 4 * dpr), height / 2, 4 * dpr, 0, 7);
      pen.fill();
      if (time.length > 0) {
        const i = indexAt(time, now);
        buttons.forEach((button, k) => (button.lastElementChild.textContent = digits(values[k][i])));
      }
      chart.stale = false;
    },
  };
  const resized = new ResizeObserver(() => (chart.stale = true));
  resized.observe(canvas);
  signal.addEventListener("abort", () => resized.disconnect());
  return chart;
};

// A number in so many digits that say something.
Wingbeat.digits = (value, count) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10 ** 6 || size < 1e-4) return value.toExponential(count - 1);
  return value.toFixed(Math.max(0, Math.min(6, count - 1 - Math.floor(Math.log10(size)))));
};

// What leads out of the page: a link to the moment that is shown, the picture, a film of it, and
// numbers as CSV.

// The moment and the boid that the page's address names after its #.
Wingbeat.linked = () => {
  const named = new URLSearchParams(location.hash.slice(1));
  const number = (name, holds) => {
    const value = Number(named.get(name) ?? NaN);
    return holds(value) ? value : null;
  };
  return {
    time: number("t", Number.isFinite),
    boid: number("boid", (id) => Number.isInteger(id) && id >= 0),
  };
};

Wingbeat.save = (player, source, signal) => {
  const MOST_SECONDS = 600;
  const menu = document.getElementById("save");
  const part = (name) => menu.querySelector(`[data-save="${name}"]`);
  const name = source.title.replace(/\.toml$/, "").replace(/\W+/g, "-") || "flock";
  const give = (blob, ending) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const csv = (rows) =>
    new Blob([rows.map((row) => row.join(",")).join("\n"), "\n"], { type: "text/csv" });
  const note = (text) => {
    const status = document.getElementById("saved");
    status.textContent = text;
    status.hidden = false;
    clearTimeout(status.timer);
    status.timer = setTimeout(() => (status.hidden = true), 4000);
  };

  // What the address says is what is shown, so that it can be copied.
  const link = () => {
    const named = new URLSearchParams();
    if (!source.live) named.set("t", Wingbeat.digits(player.state.now, 5));
    if (player.state.chosen !== null) named.set("boid", player.state.chosen);
    const scene = Wingbeat.sharedScene?.();
    if (scene) named.set("scene", scene);
    const text = named.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    return location.href;
  };

  let film = null;
  const stopFilm = () => film?.state === "recording" && film.stop();
  const acts = {
    picture: () => player.picture().toBlob((blob) => give(blob, ".png")),
    // Every column over time, as far as the page knows it.
    curves() {
      const { time, names, values } = source.observables;
      const cell = (x) => (x === null || x === undefined ? "" : x);
      give(
        csv([
          ["time", ...names],
          ...time.map((t, k) => [t, ...values.map((column) => cell(column[k]))]),
        ]),
        "-curves.csv",
      );
    },
    frame() {
      const frame = player.frame();
      if (!frame) return;
      const axes = ["x", "y", "z"].slice(0, source.dimensions);
      const kinds = source.species && frame.species;
      // As few digits as bring an f32 back.
      const text = (x) => {
        if (Number.isNaN(x)) return "";
        let [short, digits] = [NaN, 0];
        while (Math.fround(short) !== x && digits < 9) short = Number(x.toPrecision(++digits));
        return String(short);
      };
      const row = (id, i) => [
        id, ...(kinds ? [source.species[frame.species[i]]] : []),
        ...axes.map((_, a) => text(frame.position[3 * i + a])),
        ...axes.map((_, a) => text(frame.velocity[3 * i + a])),
      ];
      const header = [
        "id",
        ...(kinds ? ["species"] : []),
        ...axes,
        ...axes.map((axis) => `v${axis}`),
      ];
      give(csv([header, ...Array.from(frame.ids, row)]), `-step-${frame.step}.csv`);
    },
    // The picture as it moves, until it is pressed again.
    film() {
      if (film) return stopFilm();
      const canvas = player.picture();
      const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) =>
        window.MediaRecorder?.isTypeSupported(one),
      );
      if (!type || !canvas.captureStream) return note("This browser cannot record a film.");
      film = new MediaRecorder(canvas.captureStream(30), {
        mimeType: type,
        videoBitsPerSecond: 12e6,
      });
      const pieces = [];
      film.ondataavailable = ({ data }) => pieces.push(data);
      film.onstop = () => {
        film = null;
        part("film").textContent = "Record a film";
        give(new Blob(pieces, { type }), type.includes("mp4") ? ".mp4" : ".webm");
      };
      film.start(1000);
      setTimeout(stopFilm, 1000 * MOST_SECONDS);
      part("film").textContent = "Stop the film";
      note("Recording. Choose it again to stop.");
    },
    async link() {
      const address = link();
      const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
      note(
        copied
          ? "A link to this moment was copied."
          : "The address of this page leads to this moment.",
      );
    },
  };
  part("curves").hidden = !source.observables;
  part("film").textContent = "Record a film";
  for (const button of menu.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => {
      menu.open = false;
      acts[button.dataset.save]();
    }, { signal });
  }
  document.addEventListener(
    "click",
    (event) => menu.open && !menu.contains(event.target) && (menu.open = false),
    { signal },
  );
  signal.addEventListener("abort", stopFilm);
  window.addEventListener("hashchange", () => {
    const { time, boid } = Wingbeat.linked();
    if (time !== null) player.seek(time);
    if (boid !== null) player.pick(boid);
  }, { signal });
  player.save = acts;
  player.link = link;
};

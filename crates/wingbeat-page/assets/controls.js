// The buttons and keys. They call the player, and show its state when it calls them.
Wingbeat.controls = (player, source, signal) => {
  const get = (id) => document.getElementById(id);
  const RATES = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

  const on = (element, event, act) => element.addEventListener(event, act, { signal });

  // One choice of several, as a group of radio buttons: arrow keys go round.
  const segments = (group, title, choices, chosen, choose) => {
    const name = document.createElement("span");
    name.textContent = title;
    name.setAttribute("aria-hidden", "true");
    const buttons = choices.map(([value, text]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.dataset.value = value;
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => set(value, true));
      return button;
    });
    const set = (value, tell) => {
      chosen = value;
      for (const button of buttons) {
        const on = button.dataset.value === value;
        button.setAttribute("aria-checked", String(on));
        button.tabIndex = on ? 0 : -1;
      }
      if (tell) choose(value);
    };
    const step = (by, focus) => {
      const at = choices.findIndex(([value]) => value === chosen);
      const next = (at + by + choices.length) % choices.length;
      set(choices[next][0], true);
      if (focus) buttons[next].focus();
    };
    on(group, "keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      step(by, true);
    });
    group.replaceChildren(name, ...buttons);
    set(chosen, false);
    return { next: () => step(1, false) };
  };

  const colors = [["heading", "Heading"], ["speed", "Speed"]];
  if (source.species) colors.push(["species", "Species"]);
  const color = segments(get("color"), "Color", colors, player.look.color, (value) =>
    player.set({ color: value }),
  );
  const lengths = [["off", "Off"], ["short", "Short"], ["long", "Long"]];
  const trails = segments(get("trails"), "Trails", lengths, player.look.trails, (value) =>
    player.set({ trails: value }),
  );

  const speed = get("speed");
  speed.replaceChildren();
  RATES.forEach((rate) => speed.add(new Option(`${rate}×`, rate, false, rate === 1)));
  const faster = (by) => {
    speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), RATES.length - 1);
    player.set({ rate: Number(speed.value) });
  };
  on(speed, "change", () => player.set({ rate: Number(speed.value) }));

  const theme = (dark) => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    player.set({ dark });
  };
  const prefers = window.matchMedia("(prefers-color-scheme: light)");
  theme(player.look.dark ?? !prefers.matches);
  on(prefers, "change", () => theme(!prefers.matches));

  const scrub = get("scrub");
  on(scrub, "input", () => player.seek(Number(scrub.value)));
  on(scrub, "change", () => player.link());
  scrub.hidden = source.live;
  get("back").hidden = source.live;
  get("forth").hidden = source.live && !source.advance;
  get("play").hidden = source.live && !source.play;
  speed.parentElement.hidden = source.live;
  // Off from the recording, and back to it.
  const leads = source.goBack ?? source.takeOver;
  const fly = get("fly");
  fly.hidden = !leads;
  fly.innerHTML = source.goBack
    ? "Back<small> to the recording</small>"
    : "Fly on<small> from here</small>";
  fly.title = source.goBack
    ? "Back to the recording (L)"
    : "The engine in this page goes on from this moment, with sliders (L)";
  if (leads) on(fly, "click", () => leads());
  on(get("play"), "click", () => player.toggle());
  on(get("back"), "click", () => player.step(-1));
  on(get("forth"), "click", () => player.step(1));
  on(get("home"), "click", () => player.home());
  on(get("theme"), "click", () => theme(!player.look.dark));
  on(get("help"), "click", () => get("keys").showModal());
  on(get("find"), "submit", (event) => {
    event.preventDefault();
    const id = Number(get("find-id").value.trim());
    if (get("find-id").value.trim() !== "" && Number.isInteger(id) && id >= 0) player.pick(id);
  });

  const keys = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seek(-Infinity),
    End: () => player.seek(Infinity),
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    "−": () => faster(-1),
    c: () => color.next(),
    t: () => trails.next(),
    "[": () => player.set({ scale: player.look.scale / 1.25 }),
    "]": () => player.set({ scale: player.look.scale * 1.25 }),
    r: () => player.home(),
    f: () => player.follow(),
    n: () => player.pickMiddle(),
    d: () => theme(!player.look.dark),
    s: () => player.save.picture(),
    l: () => leads?.(),
    "?": () => get("keys").showModal(),
    Escape: () => player.pick(null),
  };
  on(document, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || get("keys").open) return;
    const inside = event.target;
    if (inside.matches("input:not([type=range]), textarea") && event.key !== "Escape") return;
    if (inside.matches("select") && /^(Arrow|Home|End| )/.test(event.key)) return;
    // A button is pressed by its own space bar.
    if (event.key === " " && inside.matches("button")) return;
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });

  const many = (count) => count.toLocaleString("en");
  get("title").textContent = source.title;
  get("title").title = source.about || "";
  const where = source.dimensions === 2 ? "in the plane" : "in space";
  const subtitle = (boids) => {
    const people = boids === 1 ? "person" : "people";
    const counted = source.noun === "people" ? people : `boid${boids === 1 ? "" : "s"}`;
    return `${many(boids)} ${counted} ${where} · ${length}`;
  };
  const length = source.live
    ? "live"
    : `${many(source.frames())} frame${source.frames() === 1 ? "" : "s"}`;
  get("about-data").textContent = [
    source.about && `${source.title}: ${source.about}.`,
    ...(source.notes ?? []),
  ]
    .filter(Boolean)
    .join(" · ");

  return {
    show({ playing, now, step, boids, waiting, error }) {
      const counted = subtitle(boids);
      if (get("subtitle").textContent !== counted) get("subtitle").textContent = counted;
      document.body.classList.toggle("playing", playing);
      get("play").setAttribute("aria-label", playing ? "Pause" : "Play");
      if (document.activeElement !== scrub || playing) scrub.value = now;
      const text = `${Wingbeat.digits(now, 4)}<small>step ${step ?? "–"}</small>`;
      if (get("clock").dataset.text !== text) {
        get("clock").innerHTML = text;
        get("clock").dataset.text = text;
        scrub.setAttribute("aria-valuetext", `time ${Wingbeat.digits(now, 4)}`);
      }
      const status = error ?? source.working ?? (waiting ? "Reading the recording …" : null);
      get("status").hidden = status === null;
      if (status !== null && get("status").textContent !== status)
        get("status").textContent = status;
    },
    span([first, last]) {
      [scrub.min, scrub.max] = [first, last > first ? last : first + 1];
    },
  };
};

// The panel: a slider, box or switch for every key that has an effect in the scene. Names, units,
// ranges and descriptions come from the engine. `kept` is how the panel before was left.
Wingbeat.panel = (connection, source, player, kept = null) => {
  const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10, 30, 100, 1e6];
  const RULES = Wingbeat.rules.map(({ name }) => name);
  const OPEN = [...RULES, "agent", "model"];
  const TITLES = {
    flock: "Flock",
    spawn: "Start",
    domain: "World",
    initial: "Initial state",
    agent: "Boid",
    neighborhood: "Neighborhood",
    grid: "Grid",
  };
  // Where a scene does not say which sliders come first: the weights of its rules, or so many
  // numbers of its model.
  const MOST_OF_MODEL = 3;
  // … or, where neither is, how people walk.
  const PEOPLE = ["agent.max_speed", "anticipation.time_gap", "body.radius"];
  const readable = (name) => name.replaceAll("_", " ");
  const { make } = Wingbeat;
  const sectionOf = (key) => key.slice(0, key.indexOf("."));
  const icon = (path) => {
    const holder = make("span");
    holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
    return holder.firstChild;
  };

  // The heading, with the controls of the whole flock.
  const rate = make("output", { className: "rate", title: "Steps the engine makes in a second" });
  const speed = make("select", {
    title: "How much faster than the scene's own time",
    "aria-label": "Speed",
  });
  const seed = make("input", {
    inputMode: "numeric",
    autocomplete: "off",
    "aria-label": "Seed",
    title: "Key of all randomness; holds from the next reset on",
  });
  const dice = make(
    "button",
    { type: "button", title: "Another seed, and reset", "aria-label": "Another seed, and reset" },
    icon("M5 5h14v14H5zM9 9v.1M15 15v.1M12 12v.1"),
  );
  const reset = make(
    "button",
    { type: "button", className: "main", title: "Build the flock anew from the scene as tuned" },
    "Reset",
  );
  const save = make(
    "button",
    { type: "button", title: "The scene with these values, as TOML" },
    "Save scene",
  );
  const waits = make("p", { className: "waits note", role: "status" });
  const warnings = make("ul", { className: "warnings" });
  const groups = make("div", { className: "groups" });
  const close = make(
    "button",
    { type: "button", "aria-label": "Close", title: "Close" },
    icon("M6 6l12 12M18 6L6 18"),
  );
  // What the scene's page says, the sliders that come first, and all others.
  const words = make("div", { className: "words" });
  const first = make("div", { className: "first" });
  const more = make(
    "details", { className: "more" }, make("summary", {}, "More"),
    make(
      "div", { className: "row" },
      make("label", { className: "wide" }, "Seed", seed, dice), save,
    ),
    groups,
  );
  const panel = make(
    "aside", { className: "card panel", id: "panel", "aria-label": "The scene's parameters" },
    make("header", {}, make("h2", {}, "Parameters"), rate, close),
    make(
      "div", { className: "body" }, words, first,
      make(
        "div", { className: "row" },
        make("label", { className: "wide" }, "Speed", speed), reset,
      ),
      waits, warnings, more,
    ),
  );
  const toggle = make(
    "button",
    {
      type: "button",
      id: "sliders",
      "aria-label": "Parameters",
      title: "Parameters (P)",
      "aria-controls": "panel",
    },
    icon("M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4"),
  );
  document.querySelector(".tools").prepend(toggle);
  document.getElementById("extra").append(panel);
  const open = (wide) => {
    panel.hidden = !wide;
    toggle.setAttribute("aria-expanded", String(wide));
    document.body.classList.toggle("tuning", wide);
    if (wide) Wingbeat.sheets.opened("panel");
    player?.resized();
  };
  Wingbeat.sheets.set("panel", () => !panel.hidden && open(false));
  const isLesson = ({ text, sliders } = {}) => Boolean(text) || sliders?.length > 0;
  open(kept?.isOpen ?? (isLesson(source.lesson) || !Wingbeat.sheets.narrow.matches));
  toggle.addEventListener("click", () => open(panel.hidden));
  close.addEventListener("click", () => open(false));
  // Keys pressed on a slider must not reach the player.
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") event.stopPropagation();
  });
  const over = new AbortController();
  document.addEventListener("keydown", (event) => {
    if (
      event.key.toLowerCase() === "p" &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !event.target.matches("input, textarea, select")
    )
      open(panel.hidden);
  }, { signal: over.signal });

  const showError = (error) => {
    waits.textContent = error.message;
    waits.classList.add("error");
  };
  const ask = (request) => connection.ask(request).catch(showError);
  for (const factor of SPEEDS)
    speed.add(new Option(factor === 1e6 ? "as fast as it can" : `${factor}×`, factor));
  speed.addEventListener("change", () => ask({ do: "speed", factor: Number(speed.value) }));
  reset.addEventListener("click", () => ask({ do: "reset" }));
  save.addEventListener("click", async () => {
    const link = make("a", {
      href: URL.createObjectURL(new Blob([await connection.toml()], { type: "application/toml" })),
      download: `${source.title.replace(/\.toml$/, "")}-tuned.toml`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  const reseed = () => ask({ do: "set", key: "flock.seed", value: seed.value.trim() });
  seed.addEventListener("change", reseed);
  dice.addEventListener("click", async () => {
    seed.value = String(Math.floor(Math.random() * 1e6));
    if (await reseed()) ask({ do: "reset" });
  });

  // The row of one key. While a value waits for its answer, only the latest of those typed or
  // pulled meanwhile is kept, and sent then.
  const rows = new Map();
  const row = (control, isFirst) => {
    const { key } = control;
    const section = sectionOf(key);
    const own = readable(key.slice(key.indexOf(".") + 1));
    // Outside of its group it bears the group's name.
    const name = isFirst ? Wingbeat.keyInWords(key) : own;
    const numeric = control.kind === "number" || control.kind === "whole";
    const about = make("p", { className: "note about", id: `about-${key}`, hidden: true });
    // Some notes have a picture: what a choice means is seen sooner than read.
    const picture = Wingbeat.pictures[key.split(".").pop()];
    const shows = picture
      ? [make("img", { className: "picture", src: picture, alt: "", hidden: true })]
      : [];
    const error = make("p", { className: "error", role: "alert", hidden: true });
    const unit =
      ["1", own].includes(control.unit) ? "" : Wingbeat.spelled(control.unit, source);
    const tag = make("span", { className: "tag", title: "Holds from the next reset on" }, "reset");
    const title = make(
      "button",
      { type: "button", className: "name", "aria-expanded": "false" },
      name,
      make("small", {}, ` ${unit}`),
      tag,
    );
    title.addEventListener("click", () => {
      about.hidden = !about.hidden;
      shows.forEach((image) => (image.hidden = about.hidden));
      title.setAttribute("aria-expanded", String(!about.hidden));
    });
    let box;
    let slider = null;
    if (control.kind === "choice") {
      box = make("select");
      control.choices.forEach((choice) => box.add(new Option(readable(choice), choice)));
    } else if (control.kind === "flag") {
      box = make("input", { type: "checkbox", className: "switch" });
    } else {
      box = make("input", {
        autocomplete: "off",
        spellcheck: false,
        className: numeric ? "number" : "text",
        placeholder: control.default,
      });
      if (numeric) box.inputMode = "decimal";
      if (numeric && control.slider) slider = make("input", { type: "range" });
    }
    box.dataset.key = key;
    box.setAttribute("aria-label", `${readable(key.replace(".", " "))}${unit && `, ${unit}`}`);
    box.setAttribute("aria-describedby", about.id);
    if (slider) {
      slider.dataset.slider = key;
      slider.setAttribute("aria-label", box.getAttribute("aria-label"));
    }
    const element = make(
      "div",
      { className: `control ${control.kind}` },
      title,
      box,
      ...(slider ? [slider] : []),
      about,
      ...shows,
      error,
    );

    let [sending, wanted, held, shown] = [false, null, false, control];
    const send = async (value) => {
      wanted = value;
      if (sending) return;
      sending = true;
      while (wanted !== null) {
        const next = wanted;
        wanted = null;
        try {
          await connection.ask({ do: "set", key, value: next });
          error.hidden = true;
        } catch (refusal) {
          error.textContent = refusal.message;
          error.hidden = false;
          // A refused value stays in its box to be corrected; the slider goes back to the value
          // that holds.
          if (slider && wanted === null && shown.value !== null) slider.value = shown.value;
        }
      }
      sending = false;
      if (error.hidden) write();
      if (source.still && player && player.state.chosen !== null) player.pick(player.state.chosen);
    };
    const toml = (value) =>
      Array.isArray(value)
        ? `[${value.map((one) => (typeof one === "string" ? `"${one}"` : toml(one))).join(", ")}]`
        : String(value);
    const write = () => {
      if (held || sending) return;
      const { value } = shown;
      if (control.kind === "flag") box.checked = value === true;
      else if (document.activeElement !== box || !box.matches("input"))
        box.value = value === null ? "" : toml(value);
      if (slider && value !== null) slider.value = value;
    };
    if (control.kind === "flag") box.addEventListener("change", () => send(String(box.checked)));
    else if (control.kind === "choice")
      box.addEventListener("change", () => send(`"${box.value}"`));
    else
      box.addEventListener(
        "change",
        () =>
          box.value.trim() !== "" &&
          send(control.kind === "text" ? JSON.stringify(box.value) : box.value.trim()),
      );
    slider?.addEventListener("input", () => {
      held = true;
      box.value = slider.value;
      send(slider.value);
    });
    slider?.addEventListener("change", () => {
      held = false;
      write();
    });
    // What the flock starts from, and every file, is chosen when the view is started.
    if (key.startsWith("initial.") || key.endsWith(".file"))
      for (const input of slider ? [box, slider] : [box]) input.disabled = true;
    return {
      element,
      show(next) {
        shown = next;
        tag.hidden = next.effect !== "rebuild";
        tag.classList.toggle("pending", next.pending);
        element.classList.toggle("given", next.given);
        const range = next.allowed ? ` Allowed: ${Wingbeat.range(next.allowed)}.` : "";
        about.textContent = `${next.about} Default: ${next.default}.${range}`;
        title.title = about.textContent;
        if (slider)
          [slider.min, slider.max, slider.step] = [
            next.slider?.min ?? 0,
            next.slider?.max ?? 1,
            "any",
          ];
        if (slider && next.slider) {
          // Set after the ends: a slider counts its steps from the left one.
          slider.step = next.slider.step;
        }
        write();
      },
    };
  };

  let [laidOutFor, current] = [null, null];
  // The keys whose sliders come first, each with a sentence.
  const firstOf = ({ lesson, controls }) => {
    if (lesson.sliders.length > 0) return lesson.sliders;
    const weights = RULES.map((rule) => `${rule}.weight`);
    const isFirst = ({ key, slider }) =>
      slider && (weights.includes(key) || sectionOf(key) === "model");
    const keys = controls.filter(isFirst).map(({ key }) => key);
    const ofModel = keys.filter((key) => !weights.includes(key)).slice(0, MOST_OF_MODEL);
    const ofPeople = PEOPLE.filter((key) => controls.some((one) => one.key === key && one.slider));
    const [found] = [ofModel, keys, ofPeople].filter(({ length }) => length > 0);
    return (found ?? []).map((key) => [key, ""]);
  };
  const layOutFirst = (state) => {
    words.replaceChildren(...Wingbeat.markdown(state.lesson.text));
    const chosen = firstOf(state).flatMap(([key, note]) => {
      const control = state.controls.find((one) => one.key === key);
      if (!control) return [];
      rows.set(key, row(control, true));
      const { element } = rows.get(key);
      return note ? [element, make("p", { className: "note" }, note)] : [element];
    });
    first.replaceChildren(...chosen);
    const folds = isLesson(state.lesson);
    if (more.classList.toggle("plain", !folds) || laidOutFor === null)
      more.open = !folds || (kept?.isMore ?? false);
    // What a lesson asks its readers to try is not what they are to be warned of.
    if (folds) more.prepend(warnings);
    else more.before(warnings);
  };
  const layOut = (state) => {
    rows.clear();
    layOutFirst(state);
    // A group whose keys all come first is there for its switch.
    const sections = new Map(
      [...rows.keys()].map(sectionOf).filter((key) => RULES.includes(key)).map((key) => [key, []]),
    );
    for (const control of state.controls) {
      if (control.key === "flock.seed" || rows.has(control.key)) continue;
      const section = sectionOf(control.key);
      if (!sections.has(section)) sections.set(section, []);
      sections.get(section).push(control);
    }
    for (const rule of state.absent) sections.set(rule, []);
    const order = [
      "model", ...RULES, "agent", "neighborhood", "flock", "domain", "spawn", "initial", "grid",
    ];
    const was = new Map([...groups.children].map((group) => [group.dataset.section, group.open]));
    // What is not there comes last.
    const place = (section) =>
      (order.indexOf(section) + order.length + 1) % (order.length + 1) +
      (state.absent.includes(section) ? 2 * order.length : 0);
    groups.replaceChildren(...[...sections].sort(
      ([a], [b]) => place(a) - place(b),
    ).map(([section, controls]) => {
      const absent = state.absent.includes(section);
      const heading = make(
        "summary", {}, TITLES[section] ?? section[0].toUpperCase() + section.slice(1),
      );
      if (RULES.includes(section)) {
        const present = make("input", {
          type: "checkbox", className: "switch", checked: !absent,
          "aria-label": `${section} on or off`, title: "On or off",
        });
        present.dataset.rule = section;
        present.addEventListener("click", (event) => event.stopPropagation());
        present.addEventListener("change", () => {
          // The state comes before the answer, so it is current, whether the request was refused or
          // not.
          ask(
            present.checked
              ? { do: "set", key: `${section}.weight`, value: "1" }
              : { do: "remove", rule: section },
          ).then(() => (present.checked = !current.absent.includes(section)));
        });
        heading.append(present);
      }
      const group = make(
        "details",
        {
          open:
            was.get(section) ??
            kept?.unfolded.includes(section) ??
            (OPEN.includes(section) && !absent),
        },
        heading,
      );
      group.dataset.section = section;
      for (const control of controls) {
        rows.set(control.key, row(control, false));
        group.append(rows.get(control.key).element);
      }
      if (absent) group.append(make("p", { className: "note" }, "Not in this scene."));
      return group;
    }));
  };

  // Every frame has another rate; it is shown twice a second.
  const rates = setInterval(() => {
    rate.textContent =
      source.rate > 0
        ? `${source.rate >= 10 ? Math.round(source.rate) : source.rate.toFixed(1)} steps/s`
        : "";
  }, 500);

  return {
    remove() {
      over.abort();
      clearInterval(rates);
      panel.remove();
      toggle.remove();
      document.body.classList.remove("tuning");
    },
    // How it is left: what is open, and the sections of the unfolded groups.
    left: () => ({
      isOpen: !panel.hidden,
      isMore: more.open,
      unfolded: [...groups.children]
        .filter((group) => group.open)
        .map((group) => group.dataset.section),
    }),
    show(state) {
      current = state;
      const keys = JSON.stringify([
        state.controls.map(({ key, kind, slider }) => [key, kind, slider !== null]),
        state.absent,
        state.lesson,
      ]);
      if (keys !== laidOutFor) layOut(state);
      laidOutFor = keys;
      state.controls.forEach((control) => rows.get(control.key)?.show(control));
      const own = state.controls.find(({ key }) => key === "flock.seed");
      if (document.activeElement !== seed) seed.value = own.value;
      if (![...speed.options].some((option) => Number(option.value) === state.speed))
        speed.add(new Option(`${Wingbeat.plain(state.speed, 3)}×`, state.speed));
      speed.value = String(state.speed);
      const { pending } = state;
      waits.classList.remove("error");
      waits.textContent =
        pending.length === 0 ? "" : `Waits for Reset: ${pending.map(readable).join(", ")}`;
      reset.classList.toggle("due", pending.length > 0);
      warnings.replaceChildren(...state.warnings.map((text) => make("li", {}, text)));
    },
  };
};

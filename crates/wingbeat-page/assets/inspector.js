// The panel about the chosen boid: id, place, speed, and why it goes where it goes.
Wingbeat.inspector = (panel, source, on, signal) => {
  const SHOWN = 60;
  const shown = { links: true, sight: true, forces: true };
  const part = (name) => panel.querySelector(`[data-part="${name}"]`);
  const escape = (text) =>
    String(text).replace(
      /[&<>"]/g,
      (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
    );
  const number = (value, count = 4) =>
    value === null || value === undefined || Number.isNaN(value)
      ? "–"
      : Wingbeat.digits(value, count);
  const vector = (v) => (v ? v.map((x) => number(x)).join("  ") : "–");
  const size = (v) => (v ? Math.hypot(...v) : null);

  panel.querySelectorAll("[data-show]").forEach((button) => {
    button.addEventListener("click", () => {
      const name = button.dataset.show;
      shown[name] = !shown[name];
      button.setAttribute("aria-pressed", String(shown[name]));
      on.changed();
    }, { signal });
    button.setAttribute("aria-pressed", "true");
  });
  part("close").addEventListener("click", () => on.closed(), { signal });
  part("follow").addEventListener("click", () => on.followed(), { signal });
  panel.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-pick]");
    if (pick) on.picked(Number(pick.dataset.pick));
  }, { signal });

  const swatch = (term) => `<i class="swatch" data-term="${escape(term)}"></i>`;

  const headingOf = (v) => {
    if (!v || size(v) === 0) return "–";
    const turn = (Math.atan2(v[1], v[0]) * 180) / Math.PI;
    const rise = v.length > 2 ? (Math.asin(v[2] / size(v)) * 180) / Math.PI : null;
    return (
      `${turn.toFixed(1)}°` +
      `${rise === null ? "" : `, ${rise >= 0 ? "up" : "down"} ${Math.abs(rise).toFixed(1)}°`}`
    );
  };

  const facts = (told) => {
    const { stamina } = told;
    const rows = [
      ["species", told.species && escape(told.species)],
      ["position", vector(told.position.map((x, a) => x + (told.origin?.[a] ?? 0)))],
      ["speed", number(size(told.velocity))],
      ["heading", headingOf(told.velocity)],
      ["velocity", vector(told.velocity)],
      [
        "stamina",
        stamina &&
          `${number(stamina.left, 3)} of ${number(stamina.capacity, 3)}` +
            `${stamina.resting ? ", resting" : ""}`,
      ],
    ];
    return rows
      .filter(([, value]) => value)
      .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
      .join("");
  };

  const readable = (key) => key.replaceAll("_", " ");
  const shownValue = (value) => {
    if (Array.isArray(value)) return vector(value);
    if (typeof value === "number") return number(value);
    return typeof value === "boolean" ? (value ? "yes" : "no") : escape(value);
  };
  // What a term says beside its force, opened up: of a drive, an obstacle, or those that the boid
  // flees or pursues.
  const details = (term) => {
    const people = (term.interactions ?? []).map(({ kind, species, neighbor, force }) => {
      const nearest = neighbor
        ? `${pick(neighbor.id)} at ${number(neighbor.distance, 3)}, force ${number(size(force), 3)}`
        : "no boid near";
      return [`${kind} ${species}`, nearest];
    });
    const numbers = Object.entries({ ...term.drive, ...term.obstacle }).filter(
      ([, value]) => value !== null,
    );
    const rows = [
      ...people,
      ...numbers.map(([key, value]) => [
        readable(key),
        key === "leader" ? pick(value) : shownValue(value),
      ]),
    ];
    if (rows.length === 0) return "";
    return (
      `<tr class="details"><td colspan="9"><details data-term="${escape(term.term)}">` +
      `<summary>${escape(term.kind ?? "more")}</summary>
      <dl>${rows.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${value}</dd>`).join("")}` +
      "</dl></details></td></tr>"
    );
  };
  const pick = (id) =>
    `<button type="button" class="id" data-pick="${id}" aria-label="Choose boid ${id}">` +
    `${id}</button>`;
  const nameOf = (term) => term.name ?? term.term;

  const termTable = (decision) => {
    if (!decision.terms) return "";
    // Without what has no say: walls that do not push, drives that are for others.
    const says = (term) =>
      !(term.term === "walls" && size(term.taken) === 0) && term.drive?.applies !== false;
    const terms = Wingbeat.parts(decision).filter(says);
    // Columns that say something of at least one term.
    const columns = [
      ["radius", (term) => term.sees?.radius && number(term.sees.radius, 3)],
      ["sees", (term) => term.sees && `${term.sees.neighbors.length}`],
      [
        "weight",
        (term) => (term.rule ?? term.drive) && number((term.rule ?? term.drive).weight, 3),
      ],
    ].filter(([, value]) => terms.some(value));
    const rows = terms.map((term) => {
      const served = term.served < 1 ? ` <small>${Math.round(term.served * 100)} %</small>` : "";
      return (
        `<tr title="${vector(term.taken)}"><th scope="row">` +
        `${swatch(term.term)}${escape(nameOf(term))}${served}</th>
        ${columns.map(([, value]) => `<td>${value(term) || ""}</td>`).join("")}` +
        `<td>${number(size(term.taken), 3)}</td></tr>${details(term)}`
      );
    });
    const cut =
      (decision.cut_to ?? null) === null
        ? ""
        : ` <small>cut to ${number(decision.cut_to, 3)}</small>`;
    rows.push(
      `<tr class="sum" title="${vector(decision.steering)}">` +
        `<th scope="row">${swatch("sum")}steering${cut}</th>
      ${columns.map(() => "<td></td>").join("")}` +
        `<td>${number(size(decision.steering), 3)}</td></tr>`,
    );
    return (
      `<table><caption>${escape(
        decision.combine ? `${decision.combine} rules` : readable(decision.name),
      )}</caption><thead><tr><th scope="col">term</th>
      ${columns.map(([name]) => `<th scope="col">${name}</th>`).join("")}` +
      `<th scope="col">force</th></tr></thead>
      <tbody>${rows.join("")}</tbody></table>`
    );
  };

  const neighborTable = (decision, self) => {
    const marks = new Map();
    for (const { term, sees } of Wingbeat.parts(decision)) {
      for (const one of sees?.neighbors ?? []) {
        if (one.id === self) continue;
        if (!marks.has(one.id)) marks.set(one.id, { one, terms: [] });
        if (term) marks.get(one.id).terms.push(term);
      }
    }
    const list = [...marks.values()].sort(
      (a, b) => a.one.distance - b.one.distance || a.one.id - b.one.id,
    );
    const kinds = list.some(({ one }) => one.species);
    const rows = list.slice(0, SHOWN).map(
      ({ one, terms }) =>
        `<tr><td>${pick(one.id)}</td>${kinds ? `<td>${escape(one.species ?? "")}</td>` : ""}
        <td>${number(one.distance, 3)}</td>` +
        `<td>${one.angle === null ? "–" : `${one.angle.toFixed(0)}°`}</td>
        <td>${terms.map(swatch).join("")}</td></tr>`,
    );
    const more = list.length > SHOWN ? `<p class="note">and ${list.length - SHOWN} more</p>` : "";
    const isNear = decision.kind === "nearest";
    const title = isNear
      ? `${list.length} ` +
        `${decision.sees.radius === null ? "nearest" : `within ${number(decision.sees.radius, 3)}`}`
      : `${list.length} neighbor${list.length === 1 ? "" : "s"}`;
    const looks = Wingbeat.parts(decision).some(({ sees }) => sees);
    if (list.length === 0)
      return looks ? `<p class="note">${isNear ? "No boid is near." : "It sees no boid."}</p>` : "";
    return (
      `<table><caption>${title}</caption><thead><tr><th scope="col">id</th>` +
      `${kinds ? '<th scope="col">species</th>' : ""}<th scope="col">distance</th>
      <th scope="col">angle</th><th scope="col">${decision.terms ? "seen by" : ""}</th></tr>` +
      `</thead><tbody>${rows.join("")}</tbody></table>${more}`
    );
  };

  return {
    shown,
    hide() {
      panel.hidden = true;
    },
    // `gone`: no boid has this id in the frame that is shown.
    show(id, told, following) {
      panel.hidden = false;
      part("id").textContent = id;
      part("follow").setAttribute("aria-pressed", String(following));
      part("absent").hidden = told !== null;
      part("body").hidden = told === null;
      if (!told) return;
      part("when").textContent =
        `step ${told.step}${told.time === undefined ? "" : `, time ${number(told.time)}`}`;
      part("sentence").textContent = told.sentence ? `It ${told.sentence}.` : "";
      part("facts").innerHTML = facts(told);
      const unfolded = new Set(
        [...part("terms").querySelectorAll("details[open]")].map((one) => one.dataset.term),
      );
      part("terms").innerHTML = termTable(told.decision);
      part("terms")
        .querySelectorAll("details")
        .forEach((one) => (one.open = unfolded.has(one.dataset.term)));
      part("others").innerHTML = Wingbeat.othersTold(told, { number, vector, size, pick, escape });
      part("neighbors").innerHTML = neighborTable(told.decision, told.boid);
      part("note").textContent = told.note ?? "";
      part("command").textContent = told.command ?? "";
      part("command").hidden = !told.command;
      this.recolor();
    },
    recolor() {
      const dark = document.documentElement.dataset.theme === "dark";
      panel.querySelectorAll(".swatch").forEach((one) => {
        one.style.background = Wingbeat.css(Wingbeat.termColor(one.dataset.term, dark));
        one.title = one.dataset.term;
      });
    },
  };
};

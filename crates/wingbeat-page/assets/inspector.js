// The panel about the chosen boid: id, place, speed, and why it goes where it goes.
Wingbeat.inspector = (panel, source, on) => {
  const SHOWN = 60;
  const shown = { links: true, sight: true, forces: true };
  const part = (name) => panel.querySelector(`[data-part="${name}"]`);
  const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const number = (value, count = 4) => (value === null || value === undefined || Number.isNaN(value) ? "–" : Wingbeat.digits(value, count));
  const vector = (v) => (v ? v.map((x) => number(x)).join("  ") : "–");
  const size = (v) => (v ? Math.hypot(...v) : null);

  panel.querySelectorAll("[data-show]").forEach((button) => {
    button.addEventListener("click", () => {
      const name = button.dataset.show;
      shown[name] = !shown[name];
      button.setAttribute("aria-pressed", String(shown[name]));
      on.changed();
    });
  });
  part("close").addEventListener("click", () => on.closed());
  part("follow").addEventListener("click", () => on.followed());
  panel.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-pick]");
    if (pick) on.picked(Number(pick.dataset.pick));
  });

  const swatch = (term) => `<i class="swatch" data-term="${escape(term)}"></i>`;

  const headingOf = (v) => {
    if (!v || size(v) === 0) return "–";
    const turn = (Math.atan2(v[1], v[0]) * 180) / Math.PI;
    const rise = v.length > 2 ? (Math.asin(v[2] / size(v)) * 180) / Math.PI : null;
    return `${turn.toFixed(1)}°${rise === null ? "" : `, ${rise >= 0 ? "up" : "down"} ${Math.abs(rise).toFixed(1)}°`}`;
  };

  const facts = (told) => {
    const rows = [
      ["position", vector(told.position.map((x, a) => x + (told.origin?.[a] ?? 0)))],
      ["speed", number(size(told.velocity))],
      ["heading", headingOf(told.velocity)],
      ["velocity", vector(told.velocity)],
    ];
    return rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("");
  };

  const termTable = (decision) => {
    if (!decision.terms) return "";
    const rows = Wingbeat.parts(decision).map((term) => {
      const seen = term.sees ? `${term.sees.neighbors.length}` : "";
      const radius = term.sees?.radius ? number(term.sees.radius, 3) : "";
      const weight = term.rule ? number(term.rule.weight, 3) : "";
      const served = term.served < 1 ? ` <small>${Math.round(term.served * 100)} %</small>` : "";
      return `<tr title="${vector(term.taken)}"><th scope="row">${swatch(term.term)}${escape(term.term)}${served}</th>
        <td>${radius}</td><td>${seen}</td><td>${weight}</td><td>${number(size(term.taken), 3)}</td></tr>`;
    });
    const cut = (decision.cut_to ?? null) === null ? "" : ` <small>cut to ${number(decision.cut_to, 3)}</small>`;
    rows.push(`<tr class="sum" title="${vector(decision.steering)}"><th scope="row">${swatch("sum")}steering${cut}</th>
      <td></td><td></td><td></td><td>${number(size(decision.steering), 3)}</td></tr>`);
    return `<table><caption>${escape(decision.combine ? `${decision.combine} rules` : decision.name)}</caption><thead><tr><th scope="col">term</th>
      <th scope="col">radius</th><th scope="col">sees</th><th scope="col">weight</th><th scope="col">force</th></tr></thead>
      <tbody>${rows.join("")}</tbody></table>`;
  };

  const neighborTable = (decision) => {
    const marks = new Map();
    for (const { term, sees } of Wingbeat.parts(decision)) {
      for (const one of sees?.neighbors ?? []) {
        if (!marks.has(one.id)) marks.set(one.id, { one, terms: [] });
        if (term) marks.get(one.id).terms.push(term);
      }
    }
    const list = [...marks.values()].sort((a, b) => a.one.distance - b.one.distance || a.one.id - b.one.id);
    const rows = list.slice(0, SHOWN).map(
      ({ one, terms }) => `<tr><td><button type="button" class="id" data-pick="${one.id}" aria-label="Choose boid ${one.id}">${one.id}</button></td>
        <td>${number(one.distance, 3)}</td><td>${one.angle === null ? "–" : `${one.angle.toFixed(0)}°`}</td>
        <td>${terms.map(swatch).join("")}</td></tr>`,
    );
    const more = list.length > SHOWN ? `<p class="note">and ${list.length - SHOWN} more</p>` : "";
    const isNear = decision.kind === "nearest";
    const title = isNear ? `${list.length} ${decision.sees.radius === null ? "nearest" : `within ${number(decision.sees.radius, 3)}`}` : `${list.length} neighbor${list.length === 1 ? "" : "s"}`;
    if (list.length === 0) return `<p class="note">${isNear ? "No boid is near." : "It sees no boid."}</p>`;
    return `<table><caption>${title}</caption><thead><tr><th scope="col">id</th><th scope="col">distance</th>
      <th scope="col">angle</th><th scope="col">${decision.terms ? "seen by" : ""}</th></tr></thead><tbody>${rows.join("")}</tbody></table>${more}`;
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
      part("when").textContent = `step ${told.step}${told.time === undefined ? "" : `, time ${number(told.time)}`}`;
      part("facts").innerHTML = facts(told);
      part("terms").innerHTML = termTable(told.decision);
      part("neighbors").innerHTML = neighborTable(told.decision);
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

// What lies over the boids: the domain's box, and of the chosen boid links to its neighbors, sight,
// and forces as arrows. The parts of a decision that look at boids or push: what a model says comes
// before the terms that are joined to it.
Wingbeat.parts = (decision) => {
  if (decision.kind === "terms") return decision.terms;
  const whole = {
    term: decision.name ?? "",
    sees: decision.sees,
    served: 1,
    taken: decision.wanted ?? null,
  };
  return [whole, ...(decision.terms ?? [])];
};

Wingbeat.overlay = (source) => {
  const { vec } = Wingbeat;
  const flat = source.dimensions === 2;
  const wide = (v) => [v[0], v[1], v[2] ?? 0];
  const line = (from, to, color, alpha, width, head = 0) => [
    ...from, ...to, ...color, alpha, width, head,
  ];

  const edges = (box) => {
    const corner = (k) => [0, 1, 2].map((a) => ((k >> a) & 1 ? box.max[a] : box.min[a]));
    const lines = [];
    for (let k = 0; k < 8; k++) {
      for (let a = 0; a < 3; a++)
        if (!((k >> a) & 1) && box.max[a] > box.min[a])
          lines.push([corner(k), corner(k | (1 << a))]);
    }
    return flat ? lines.slice(0, 4) : lines;
  };

  // Points round an axis at an angle from it: a circle in space, both ends of an arc in the plane.
  const ring = (apex, axis, radius, angle, count) => {
    const [left, up] = vec.frame(axis);
    return [...Array(count + 1).keys()].map((k) => {
      const turn = (2 * Math.PI * k) / count;
      const side = vec.add(vec.scale(left, Math.cos(turn)), vec.scale(up, Math.sin(turn)));
      return vec.add(
        apex,
        vec.scale(
          vec.add(vec.scale(axis, Math.cos(angle)), vec.scale(side, Math.sin(angle))),
          radius,
        ),
      );
    });
  };
  const arc = (apex, axis, side, radius, angle, count = 48) =>
    [...Array(count + 1).keys()].map((k) => {
      const turn = -angle + (2 * angle * k) / count;
      return vec.add(
        apex,
        vec.scale(
          vec.add(vec.scale(axis, Math.cos(turn)), vec.scale(side, Math.sin(turn))),
          radius,
        ),
      );
    });
  // The image of a place that is nearest to another: in a periodic world across the edge.
  const nearest = (from, to) => {
    if (!source.periodic) return to;
    const size = vec.sub(source.box.max, source.box.min);
    return to.map((x, a) => (size[a] > 0 ? x - size[a] * Math.round((x - from[a]) / size[a]) : x));
  };
  const strip = (points, color, alpha, width) =>
    points.slice(1).map((p, k) => line(points[k], p, color, alpha, width));

  const sight = (apex, axis, sees, color, filled, lines, faces) => {
    const half =
      sees.cos_half_view === null
        ? Math.PI
        : Math.acos(Math.max(-1, Math.min(1, sees.cos_half_view)));
    const whole = half >= Math.PI - 1e-6;
    const paint = [...color, 0.1];
    if (flat) {
      const points = arc(apex, axis, [-axis[1], axis[0], 0], sees.radius, half);
      lines.push(...strip(points, color, 0.7, 1.25));
      if (!whole)
        lines.push(
          line(apex, points[0], color, 0.7, 1.25),
          line(apex, points[points.length - 1], color, 0.7, 1.25),
        );
      if (filled)
        faces.push({
          corners: points.slice(1).flatMap((p, k) => [...apex, ...points[k], ...p]),
          paint,
        });
      return;
    }
    const [left, up] = vec.frame(axis);
    lines.push(...strip(arc(apex, axis, left, sees.radius, half), color, 0.55, 1.25));
    lines.push(...strip(arc(apex, axis, up, sees.radius, half), color, 0.55, 1.25));
    const rim = ring(apex, axis, sees.radius, whole ? Math.PI / 2 : half, 48);
    lines.push(...strip(rim, color, 0.55, 1.25));
    if (whole) return;
    for (let k = 0; k < 48; k += 12) lines.push(line(apex, rim[k], color, 0.4, 1.25));
    if (filled)
      faces.push({ corners: rim.slice(1).flatMap((p, k) => [...apex, ...rim[k], ...p]), paint });
  };

  return {
    box(look) {
      const drawn =
        (width) =>
        ([from, to]) =>
          line(from, to, look.edge, look.edgeAlpha, width * look.dpr);
      return (source.box ? edges(source.box) : []).map(drawn(1.2));
    },
    // `at` gives where a boid of this id is now; `shown` which parts are wanted.
    explained(told, apex, velocity, at, camera, look, shown) {
      const [lines, faces] = [[], []];
      const { decision } = told;
      const terms = Wingbeat.parts(decision);
      const scale = (width) => width * look.dpr;
      const axis = vec.norm(velocity) > 0 ? vec.unit(velocity) : [1, 0, 0];
      const seeing = terms.filter((term) => term.sees?.radius);
      const largest = seeing.reduce((most, term) => Math.max(most, term.sees.radius), 0);
      if (shown.sight) {
        const drawn = new Set();
        for (const { term, sees } of [...seeing].sort((a, b) => b.sees.radius - a.sees.radius)) {
          const key = `${sees.radius} ${sees.cos_half_view}`;
          if (drawn.has(key)) continue;
          sight(
            apex,
            axis,
            sees,
            Wingbeat.termColor(term, look.dark),
            drawn.size === 0,
            lines,
            faces,
          );
          drawn.add(key);
        }
        lines.forEach((one) => (one[10] *= look.dpr));
      }
      if (shown.links) {
        const linked = new Set();
        for (const { sees } of terms) {
          for (const one of sees?.neighbors ?? []) {
            if (linked.has(one.id) || one.id === told.boid) continue;
            linked.add(one.id);
            const there = at(one.id);
            // Through the image that is near, wherever the other one is drawn.
            const direct = there && vec.sub(there, apex);
            const straight =
              direct &&
              vec.norm(vec.sub(direct, wide(one.offset))) < vec.norm(wide(one.offset)) + 1e-9;
            const to = straight ? there : vec.add(apex, wide(one.offset));
            lines.push(line(apex, to, look.ink, 0.55, scale(1.3)));
          }
        }
        // Those that it looks ahead at, and stronger those in the way of its body.
        const inTheWay = told.advance?.hindered?.by ?? [];
        for (const id of Wingbeat.othersOf(told)) {
          const there = !linked.has(id) && at(id);
          if (there)
            lines.push(
              line(
                apex,
                nearest(apex, there),
                look.ink,
                inTheWay.includes(id) ? 0.9 : 0.4,
                scale(inTheWay.includes(id) ? 2.2 : 1.3),
              ),
            );
        }
      }
      if (shown.forces && decision.steering) {
        const arrows = terms
          .filter((term) => vec.norm(wide(term.taken)) > 0)
          .map((term) => [term.term, wide(term.taken)]);
        arrows.push(["sum", wide(decision.steering)]);
        const longest = Math.max(...arrows.map(([, force]) => vec.norm(force)));
        const length = Math.max(0.7 * largest, 80 * camera.pixel);
        for (const [term, force] of arrows) {
          if (longest === 0) break;
          const to = vec.add(apex, vec.scale(force, length / longest));
          const sum = term === "sum";
          lines.push(
            line(
              apex,
              to,
              Wingbeat.termColor(term, look.dark),
              sum ? 0.9 : 1,
              scale(sum ? 2.2 : 3.2),
              scale(sum ? 9 : 12),
            ),
          );
        }
      }
      return { lines, faces };
    },
  };
};

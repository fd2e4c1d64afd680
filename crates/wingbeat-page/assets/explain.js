// Why a boid goes where it goes, from a recorded frame: the three rules as docs/MODEL.md defines them, in the shape of
// `wingbeat explain --json`. Recorded numbers are rounded, so these agree with the engine's to about a thousandth (a hundredth,
// where the flock is so large that the page has fewer digits), and `approximate` says so. It knows nothing but the three rules and
// walls: of a scene with anything else, and of a frame that lacks what they need, it shows who is near and no force, and `command` is
// the command line that tells the forces.
Wingbeat.explain = (frame, id, source) => {
  const NEAREST = 7;
  const REST_SPEED = 1e-15;
  const COINCIDENT = 1e-12;
  const { dimensions, scene } = source;
  const self = Wingbeat.find(frame.ids, id);
  if (self < 0) return null;
  const axes = [...Array(dimensions).keys()];
  const zero = () => axes.map(() => 0);
  const vector = (column, i) => axes.map((a) => column[3 * i + a]);
  const plus = (a, b) => a.map((x, k) => x + b[k]);
  const minus = (a, b) => a.map((x, k) => x - b[k]);
  const times = (a, s) => a.map((x) => x * s);
  const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const norm = (a) => Math.sqrt(dot(a, a));
  const unit = (a) => (norm(a) > 0 ? times(a, 1 / norm(a)) : zero());
  const heading = (v) => (norm(v) < REST_SPEED ? zero() : times(v, 1 / norm(v)));

  const position = vector(frame.position, self);
  const known = !Number.isNaN(frame.velocity[3 * self]);
  const velocity = known ? vector(frame.velocity, self) : zero();
  const ahead = heading(velocity);
  const atRest = norm(velocity) < REST_SPEED;
  const { domain } = scene;
  const sides = source.periodic ? axes.map((a) => domain.max[a] - domain.min[a]) : null;

  const offsetTo = (j) => {
    const offset = minus(vector(frame.position, j), position);
    if (!sides) return offset;
    return offset.map((x, a) => (x > sides[a] / 2 ? x - sides[a] : x < -sides[a] / 2 ? x + sides[a] : x));
  };
  const angle = (offset) => {
    const [a, b] = [unit(offset), ahead];
    return atRest || norm(offset) === 0 ? null : (2 * Math.atan2(norm(minus(a, b)), norm(plus(a, b))) * 180) / Math.PI;
  };
  // All within a radius, in the order of ids; one pass, whatever the rules.
  const within = (radius) => {
    const found = [];
    const radiusSq = radius * radius;
    const [px, py, pz] = [position[0], position[1], position[2] ?? 0];
    const wrapped = (d, a) => (sides && Math.abs(d) > sides[a] / 2 ? sides[a] - Math.abs(d) : d);
    for (let j = 0; j < frame.ids.length; j++) {
      const x = wrapped(frame.position[3 * j] - px, 0);
      const y = wrapped(frame.position[3 * j + 1] - py, 1);
      const z = dimensions > 2 ? wrapped(frame.position[3 * j + 2] - pz, 2) : 0;
      const distanceSq = x * x + y * y + z * z;
      if (distanceSq > radiusSq || j === self) continue;
      const offset = offsetTo(j);
      const moves = vector(frame.velocity, j);
      const seen = { id: frame.ids[j], offset, distance: norm(offset), angle: angle(offset), known: !Number.isNaN(moves[0]) };
      found.push({ ...seen, velocity: seen.known ? moves : zero() });
    }
    return found;
  };

  // Who is near: all within the radius, or where there is none the nearest seven.
  const near = (radius) => {
    let found = within(radius ?? 0);
    if (radius === null) {
      const wanted = Math.min(NEAREST, frame.ids.length - 1);
      let reach = Math.max(...axes.map((a) => source.bounds.max[a] - source.bounds.min[a])) || 1;
      reach *= 2 / Math.max(1, frame.ids.length) ** (1 / dimensions);
      while (found.length < wanted) found = within((reach *= 1.6));
      found.sort((a, b) => a.distance - b.distance || a.id - b.id);
      found = found.slice(0, wanted);
    }
    const neighbors = found.map((seen) => ({ ...seen, coincident: seen.distance === 0, only_near: false, adds: null }));
    const nearest = radius === null ? NEAREST : null;
    return { kind: "nearest", sees: { radius, cos_half_view: null, near_radius: 0, nearest, out_of_sight: 0, beyond_cap: 0, neighbors } };
  };

  const rules = scene.decision?.kind === "rules" ? scene.decision : null;
  const named = ["separation", "alignment", "cohesion"].filter((name) => rules?.[name]);
  const everyone = within(Math.max(0, ...named.map((name) => rules[name].radius)));

  const sees = (rule) => {
    const { radius, cos_half_view: cosHalf, near_radius: nearRadius, nearest } = rule;
    let outOfSight = 0;
    let neighbors = [];
    for (const seen of everyone) {
      if (seen.distance > radius) continue;
      const coincident = seen.distance ** 2 <= radius ** 2 * COINCIDENT;
      const inSight = cosHalf === null || atRest || coincident || dot(seen.offset, ahead) >= cosHalf * seen.distance;
      const close = nearRadius > 0 && seen.distance <= nearRadius;
      if (inSight || close) neighbors.push({ ...seen, coincident, only_near: !inSight, adds: null });
      else outOfSight += 1;
    }
    let beyond = 0;
    if (nearest !== null && neighbors.length > nearest) {
      const ranked = [...neighbors].sort((a, b) => a.distance - b.distance || a.id - b.id);
      const kept = new Set(ranked.slice(0, nearest));
      beyond = neighbors.length - kept.size;
      neighbors = neighbors.filter((seen) => kept.has(seen));
    }
    return { radius, cos_half_view: cosHalf, near_radius: nearRadius, nearest, out_of_sight: outOfSight, beyond_cap: beyond, neighbors };
  };

  const respond = (sum, response) => {
    if (sum.every((x) => x === 0)) return zero();
    if (response === "unit") return unit(sum);
    if (response === "steer") return minus(times(unit(sum), rules.max_speed), velocity);
    return sum;
  };

  const made = (name, rule) => {
    const seen = sees(rule);
    const parts = { included: null, mean: null, subtracted: null, parting: null, response_kind: rule.response, weight: rule.weight };
    const adds = {
      separation(one) {
        if (one.coincident) return null;
        if (rule.response === "flee") return minus(velocity, times(one.offset, rules.max_speed / one.distance));
        const d = one.distance;
        const fade = { linear: Math.max(1 - d / rule.radius, 0), inverse: 1 / d, inverse_square: 1 / (d * d) };
        return times(one.offset, fade[rule.falloff]);
      },
      alignment: (one) => (rule.of === "heading" ? heading(one.velocity) : one.velocity),
      cohesion: (one) => one.offset,
    }[name];
    for (const one of seen.neighbors) one.adds = adds(one);
    const sum = seen.neighbors.reduce((total, one) => (one.adds ? plus(total, one.adds) : total), zero());
    const count = seen.neighbors.length;
    let wanted = zero();
    if (name === "separation") {
      wanted = rule.response === "flee" ? sum : times(sum, -1);
    } else if (count > 0) {
      const own = name === "alignment" ? (rule.of === "heading" ? ahead : velocity) : zero();
      if (rule.include_self) parts.included = own;
      parts.mean = rule.include_self ? times(plus(sum, own), 1 / (count + 1)) : times(sum, 1 / count);
      if (rule.relative) parts.subtracted = own;
      wanted = rule.relative ? minus(parts.mean, own) : parts.mean;
    }
    const response = respond(wanted, rule.response === "flee" ? "raw" : rule.response);
    const weighted = times(response, rule.weight);
    return { term: name, sees: seen, rule: { sum, ...parts, wanted, response }, weighted, budget: null, served: 1, taken: weighted };
  };

  const walls = () => {
    const { kind, margin, strength } = domain;
    const weighted = axes.map((a) => {
      if (kind !== "walled") return 0;
      const push = (distance) => (distance < margin ? strength * (1 - distance / margin) : 0);
      return push(position[a] - domain.min[a]) - push(domain.max[a] - position[a]);
    });
    return { term: "walls", sees: null, rule: null, weighted, budget: null, served: 1, taken: weighted };
  };

  const combined = () => {
    const terms = rules.order.map((name) => (name === "walls" ? walls() : made(name, rules[name])));
    const limit = rules.max_force;
    let sum = terms.reduce((total, term) => plus(total, term.weighted), zero());
    let cut = null;
    let steering = sum;
    if (rules.combine === "direction") {
      steering = unit(sum);
    } else if (rules.combine === "prioritized") {
      let budget = limit;
      let spent = false;
      sum = zero();
      for (const term of terms) {
        const size = norm(term.weighted);
        term.budget = spent ? null : budget;
        term.served = spent ? 0 : size <= budget ? 1 : budget / size;
        term.taken = times(term.weighted, term.served);
        sum = plus(sum, term.taken);
        if (term.served < 1) [spent, cut] = [true, limit];
        budget -= Math.min(size, budget);
      }
      steering = sum;
    } else if (norm(sum) > limit) {
      [cut, steering] = [limit, times(sum, limit / norm(sum))];
    }
    return { kind: "terms", combine: rules.combine, terms, sum, cut_to: cut, steering };
  };

  // The whole command line; without a scene there is none.
  const command = scene.explain ? `${scene.explain.command} --boid ${id} --step ${frame.step}` : null;
  const told = (note, decision) => ({
    scene: scene.name, boid: id, step: frame.step, time: frame.time, dt: scene.dt, position, origin: scene.origin,
    velocity: known ? velocity : null, heading: ahead, at_rest: atRest, approximate: true, note, command, decision,
    steering: decision.steering ?? null, advance: null,
  });
  const without = (reason, radius) => {
    const shown = radius === null ? "the nearest boids, whether or not it looks at them" : `all boids within ${Wingbeat.digits(radius, 3)}`;
    // What the command lacks where the page was made without the scene's file.
    const lacking = scene.explain.is_whole ? "" : " (with the --set that the run had)";
    return told(`This page cannot compute ${reason}. Shown are ${shown}. Its forces are explained by${lacking}:`, near(radius));
  };

  if (!scene.decision) return told("The file holds no rules: shown are the nearest, whether or not the boid looks at them.", near(null));
  if (!rules) {
    const { beyond, radius } = scene.decision;
    return without(`the forces of a scene with ${beyond.join(", ").replace(/, ([^,]*)$/, " and $1")}`, radius);
  }
  const radius = named.length > 0 ? Math.max(...named.map((name) => rules[name].radius)) : null;
  if (!known || everyone.some((one) => !one.known)) return without("forces from this frame, which lacks velocities", radius);
  const decided = combined();
  if (decided.terms.some((term) => term.term === "separation" && term.sees.neighbors.some((one) => one.coincident))) {
    return without("the push that parts boids at the same place", radius);
  }
  const { errors } = source;
  let note = "Computed in this page from recorded numbers";
  if (errors) note += `, positions within ${Wingbeat.digits(errors.position, 2)}, velocities within ${Wingbeat.digits(errors.velocity, 2)}`;
  return told(`${note}. The exact ones are explained by${scene.explain.is_whole ? "" : " (with the --set that the run had)"}:`, decided);
};

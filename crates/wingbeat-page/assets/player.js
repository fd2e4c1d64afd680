// Plays a source: keeps the time, finds the two frames about it, and draws them with all that lies
// over them. Where another player was there before, its camera, look and chosen boid are kept;
// `moment` is the time to begin at.
Wingbeat.start = (source, before = null, moment = {}) => {
  const canvas = document.getElementById("view");
  const status = document.getElementById("status");
  const fail = (text) => {
    status.hidden = false;
    status.textContent = text;
  };
  let renderer;
  try {
    renderer = Wingbeat.renderer(canvas, source);
  } catch (error) {
    fail(`The picture cannot be drawn here: ${error.message}`);
    throw error;
  }
  if (!renderer) {
    fail("The picture cannot be drawn: this browser offers no WebGL 2 here.");
    return null;
  }
  const pairs = Wingbeat.pairs(renderer.gl);
  const over = new AbortController();
  const { signal } = over;
  const isSame = before?.source.dimensions === source.dimensions;
  const camera = isSame ? before.camera : Wingbeat.camera(source.dimensions);
  const overlay = Wingbeat.overlay(source);
  const places = Wingbeat.places(source, canvas, signal);
  const legend = Wingbeat.legend(
    document.getElementById("key"),
    source,
    () => resize(true),
    signal,
  );
  const chart = Wingbeat.chart(
    document.getElementById("chart"),
    document.getElementById("legend"),
    source,
    signal,
  );
  const flat = source.dimensions === 2;
  const { vec } = Wingbeat;

  const count = () => source.frames() ?? source.latest + 1;
  const [first, last] = source.live ? [0, 1] : [source.time(0), source.time(source.frames() - 1)];
  const duration = last - first;
  // One unit of time takes a second where that makes a film of 4 seconds to 3 minutes; otherwise
  // the whole takes half a minute.
  const natural = duration >= 4 && duration <= 180 ? 1 : duration / 30;
  const OPENING = 0.25;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const linked = Wingbeat.linked();
  // A film begins where its flock has formed, unless a link or the player before says otherwise.
  const opening = moment.now ?? linked.time ?? (before ? first : first + OPENING * duration);
  const state = {
    now: Math.min(Math.max(opening, first), last),
    playing: source.live || (!calm && !before && linked.time === null && count() > 1),
    rate: 1,
    chosen: before ? before.state.chosen : linked.boid,
    following: isSame && before.state.following,
    told: undefined,
    toldAt: null,
  };
  const look = before?.look ?? {
    color: source.species ? "species" : "heading",
    trails: source.boids <= 3000 ? "short" : "off",
    dark: null,
    scale: 1,
  };
  if (look.color === "species" && !source.species) look.color = "heading";
  const live = { came: 0, every: 100 };
  let [dirty, touched, clockBefore, shown, few, nearer] = [true, isSame, null, null, null, null];

  const bounds = source.bounds;
  const spacing = (() => {
    const sides = vec
      .sub(bounds.max, bounds.min)
      .slice(0, source.dimensions)
      .map((x) => Math.max(x, 1e-9));
    return (
      (sides.reduce((a, b) => a * b, 1) / Math.max(1, source.boids)) ** (1 / source.dimensions)
    );
  })();
  const side = spacing * Math.max(1, source.boids) ** (1 / source.dimensions);
  const lengthOf = Wingbeat.sizes(source, spacing);

  const player = {
    source,
    look,
    state,
    camera,
    set(changes) {
      if ("rate" in changes) state.rate = changes.rate;
      Object.assign(look, changes);
      inspector.recolor();
      [dirty, chart.stale] = [true, true];
    },
    toggle() {
      if (source.live) {
        state.playing = !state.playing;
        source[state.playing ? "play" : "pause"]?.();
      } else {
        // At the end it starts again from the beginning.
        if (!state.playing && state.now >= last) state.now = first;
        state.playing = !state.playing && duration > 0;
      }
      dirty = true;
    },
    seek(time) {
      if (source.live) return;
      state.now = Math.min(Math.max(time, first), last);
      // At its end a film would begin anew.
      if (state.now === last) state.playing = false;
      dirty = true;
    },
    // The steps made before the frame that is shown.
    stepShown: () => source.step(frameShown()),
    redraw: () => (dirty = true),
    // What covers the picture has changed.
    resized: () => resize(true),
    // Ends it: nothing of it listens or draws any more.
    stop() {
      over.abort();
      pairs.drop();
      few?.drop();
    },
    step(by) {
      if (source.live) return source.advance?.();
      state.playing = false;
      const i =
        indexAt(state.now) +
        (by < 0 && state.now > source.time(indexAt(state.now)) + 1e-9 * duration ? by + 1 : by);
      player.seek(source.time(Math.min(Math.max(i, 0), count() - 1)));
    },
    home() {
      [state.following, touched] = [false, false];
      resize(true);
      explain(true);
      dirty = true;
    },
    follow() {
      state.following = state.chosen !== null && !state.following;
      // Near enough to see the boid's neighbors.
      const decision = state.told?.decision;
      const radii = (decision ? Wingbeat.parts(decision) : []).map(
        (term) => term.sees?.radius ?? 0,
      );
      touched ||= state.following;
      nearer = state.following
        ? Math.max(Math.max(0, ...radii) * (flat ? 5 : 9), spacing * (flat ? 6 : 12))
        : null;
      explain(true);
      dirty = true;
    },
    pick(id) {
      state.chosen = id;
      invitation.hidden = true;
      if (id === null) {
        [state.following, state.told] = [false, undefined];
        inspector.hide();
        measure();
      } else {
        Wingbeat.sheets.opened("inspector");
      }
      explain(true);
      dirty = true;
    },
    // The canvas with the picture in it, until the next task begins.
    picture() {
      if (shown) draw();
      return canvas;
    },
    // The frame that is shown; null before there is one.
    frame: () => source.frame(frameShown()),
    pickMiddle() {
      const id = pickAt([canvas.clientWidth / 2, canvas.clientHeight / 2], Infinity);
      if (id !== null) player.pick(id);
    },
  };

  const inspector = Wingbeat.inspector(document.getElementById("inspector"), source, {
    changed: () => (dirty = true),
    closed: () => player.pick(null),
    followed: () => player.follow(),
    picked: (id) => player.pick(id),
  }, signal);
  Wingbeat.sheets.set("inspector", () => state.chosen !== null && player.pick(null));
  const controls = Wingbeat.controls(player, source, signal);
  Wingbeat.save(player, source, signal);

  // The last frame that is not after a time.
  const indexAt = (time) => {
    let [low, high] = [0, count() - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (source.time(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // The two frames about the time, and the part of the way from one to the other; null while they
  // are being fetched.
  const find = (clock) => {
    if (source.live) {
      if (source.latest < 0) return null;
      const b = source.frame(source.latest);
      const a = source.frame(source.latest - 1) ?? b;
      return {
        i: a === b ? source.latest : source.latest - 1,
        a,
        b,
        part: a === b ? 0 : Math.min((clock - live.came) / live.every, 1),
      };
    }
    const i = Math.max(0, Math.min(indexAt(state.now), count() - 2));
    const a = source.frame(i);
    const b = count() > 1 ? source.frame(i + 1) : a;
    if (!a || !b) return null;
    return {
      i,
      a,
      b,
      part:
        b.time > a.time ? Math.min(Math.max((state.now - a.time) / (b.time - a.time), 0), 1) : 0,
    };
  };

  // The frame whose boids are explained: the one last reached.
  const frameShown = () => shown && (shown.part >= 1 ? shown.i + 1 : shown.i);
  let asked = 0;
  const explain = async (again) => {
    const i = frameShown();
    if (state.chosen === null || i === null || (!again && state.toldAt === i)) return;
    state.toldAt = i;
    const [id, question] = [state.chosen, ++asked];
    const told = await source.explain(id, i);
    if (question !== asked || state.chosen !== id) return;
    state.told = told;
    inspector.show(id, told, state.following);
    measure();
    dirty = true;
  };

  const pickAt = ([x, y], reach) => {
    if (!shown) return null;
    let [best, least] = [null, Infinity];
    const { pair } = shown;
    for (let i = 0; i < pair.count; i++) {
      const [p] = Wingbeat.between(pair, i, shown.part, source);
      const at = camera.screen(p);
      if (!at) continue;
      const away = Math.hypot(at[0] - x, at[1] - y);
      // Of those as near to the finger, the one in front.
      const rank = away + (flat ? 0 : 6 * at[2]);
      if (away <= reach && rank < least) [best, least] = [pair.ids[i], rank];
    }
    return best;
  };

  Wingbeat.hands(canvas, camera, source.dimensions, {
    moved(panned) {
      if (panned) state.following = false;
      [dirty, touched] = [true, true];
    },
    tapped: (at) => player.pick(pickAt(at, 26)),
  }, signal);

  // How much of the lower end is covered: by the dock, and on a phone by the sheet above it.
  const { narrow } = Wingbeat.sheets;
  const measure = () => {
    const dock = document.querySelector(".dock").offsetHeight;
    document.documentElement.style.setProperty("--dock", `${dock}px`);
    const key = document.getElementById("key").offsetHeight;
    const heading = document.querySelector(".heading").offsetHeight;
    document.documentElement.style.setProperty("--heading", `${heading}px`);
    // On a phone the tools stand below the heading, and the flock below both.
    // Beside the flock stand the parameters, and in a playground the scene's text.
    const wide = (id) => {
      const card = document.getElementById(id);
      return card && !card.hidden ? card : null;
    };
    const [parameters, editor] = [wide("panel"), wide("editor")];
    const sides = narrow.matches
      ? [0, 0]
      : [
          parameters ? parameters.offsetLeft + parameters.offsetWidth : 0,
          editor ? canvas.clientWidth - editor.offsetLeft : 0,
        ];
    [camera.left, camera.rightCovered] = sides;
    const { style } = document.documentElement;
    style.setProperty("--middle", `${(canvas.clientWidth + sides[0] - sides[1]) / 2}px`);
    // The tools stand at the upper end, on a phone below the heading.
    const tools = document.querySelector(".tools").offsetHeight;
    camera.top = narrow.matches ? heading + tools + 18 : tools + 18;
    camera.covered = dock + 14 + (key > 0 ? key + 8 : 0);
    const sheet = wide("inspector") ?? parameters ?? editor;
    if (narrow.matches && sheet) camera.covered += sheet.offsetHeight + 8;
  };
  const resize = (again) => {
    const dpr = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const [wide, high] = [Math.round(width * dpr), Math.round(height * dpr)];
    if (canvas.width === wide && canvas.height === high && !again) return;
    [canvas.width, canvas.height] = [wide, high];
    measure();
    camera.update(width, height);
    // Until the camera is moved by hand, the whole flock is shown.
    if (!touched) camera.fit(bounds, width, height);
    dirty = true;
  };
  const resized = new ResizeObserver(() => resize(true));
  resized.observe(document.querySelector(".dock"));
  signal.addEventListener("abort", () => resized.disconnect());

  const trailPairs = (i) => {
    if (look.trails === "off") return [];
    const speed = Math.max((source.speeds[0] + source.speeds[1]) / 2, 1e-12);
    const way = speed * (shown.pair.span || 1);
    // So many spacings long, but where boids are few not across the whole picture, and always
    // longer than a boid.
    const [spacings, share] = look.trails === "short" ? [3, 0.1] : [14, 0.4];
    const length = Math.max(Math.min(spacings * spacing, share * side), 3 * lengthOf(shown.pair.a));
    const wanted = Math.max(2, length / way);
    // Where frames lie close, a line spans some of them: a quarter of a spacing is short enough for
    // a bend. Where boids are few a trail is a strip, of three times the corners of a line; phones
    // and machines without a graphics card draw no more than so many of them.
    const corners = source.boids <= 2000 ? 6 : 2;
    const most = Math.max(2, Math.min(30, 200000 / (corners * Math.max(1, source.boids))));
    const stride = Math.max(1, Math.ceil(wanted / most), Math.floor(spacing / 4 / way));
    const trails = Object.assign([[shown.pair, shown.part]], { corners });
    const add = (from, to) => {
      const [a, b] = [source.frame(from), source.frame(to)];
      if (a && b) trails.unshift([pairs.of(a, b), 1]);
      return a && b;
    };
    let k = i - (i % stride);
    if (k < i && !add(k, i)) return trails;
    for (; k > 0 && i - k < wanted && trails.length < most; k -= stride)
      if (!add(Math.max(k - stride, 0), k)) break;
    trails.pieces = Math.max(
      1,
      Math.min(4, Math.ceil((2 * way * stride) / spacing), Math.floor((2 * most) / trails.length)),
    );
    return trails;
  };

  const style = () => {
    const { dark } = look;
    const dpr = canvas.width / Math.max(canvas.clientWidth, 1);
    return {
      dark,
      dpr,
      fog: dark ? [0.06, 0.095, 0.175] : [0.93, 0.945, 0.97],
      haze: 0.42,
      ink: dark ? [1, 1, 1] : [0.06, 0.09, 0.16],
      edge: dark ? [0.55, 0.66, 0.9] : [0.25, 0.35, 0.55],
      edgeAlpha: dark ? 0.32 : 0.35,
      solid: dark ? (flat ? [0.27, 0.33, 0.45] : [0.42, 0.5, 0.66]) : [0.74, 0.77, 0.82],
      solidEdge: dark ? [0.45, 0.53, 0.68] : [0.5, 0.55, 0.64],
      solidAlpha: 0.6,
      radii: Wingbeat.radiiOf(source),
      bodyPixels: 1.5 * dpr,
      size: lengthOf(shown.pair.a) * look.scale,
      // At least six pixels where there are fewer than 2,000.
      leastPixels: Math.min(9, 13 * (100 / Math.max(source.boids, 30)) ** 0.25) * dpr * look.scale,
      dim: state.chosen === null ? 0 : 0.45,
      // The more boids, the fainter each trail.
      trails:
        0.6 + 0.3 * Math.min(Math.max(1 - Math.log10(Math.max(source.boids, 1) / 100) / 2, 0), 1),
      colorBy: { heading: 0, speed: 1, species: 2 }[look.color],
    };
  };

  const draw = () => {
    const { pair, part, i } = shown;
    const marks = style();
    const chosen = state.chosen === null ? -1 : Wingbeat.find(pair.ids, state.chosen);
    let [lines, faces] = [[], []];
    few?.drop();
    few = null;
    const at = (id) => {
      const k = Wingbeat.find(pair.ids, id);
      return k < 0 ? null : Wingbeat.between(pair, k, part, source)[0];
    };
    const own = chosen < 0 ? null : Wingbeat.between(pair, chosen, part, source);
    if (own && state.following)
      camera.target = vec.add(camera.target, vec.scale(vec.sub(own[0], camera.target), 0.25));
    if (own && state.following && vec.norm(vec.sub(own[0], camera.target)) > 0.01 * camera.distance)
      dirty = true;
    if (nearer !== null && state.following && camera.distance > nearer * 1.01) {
      camera.distance += (nearer - camera.distance) * 0.2;
      dirty = true;
    } else {
      nearer = null;
    }
    camera.update(canvas.clientWidth, canvas.clientHeight);
    // Before anything is drawn: a legend of another height makes the canvas anew.
    legend.show(camera, look);
    if (own && state.told) {
      const over = overlay.explained(
        state.told,
        own[0],
        own[1],
        at,
        camera,
        marks,
        inspector.shown,
      );
      ({ lines, faces } = over);
      const sees = Wingbeat.parts(state.told.decision).flatMap(
        (term) => term.sees?.neighbors ?? [],
      );
      const ids = [...sees.map((one) => one.id), ...Wingbeat.othersOf(state.told)];
      const indices = [...new Set(ids.map((id) => Wingbeat.find(pair.ids, id)))].filter(
        (k) => k >= 0,
      );
      // The chosen boid comes last.
      few = pairs.few(pair, [...indices.filter((k) => k !== chosen), chosen]);
    }
    places.name(camera, look.dark, state.now);
    renderer.draw({
      camera,
      pair,
      few,
      part,
      trails: trailPairs(i),
      look: marks,
      obstacles: source.obstacles(state.now),
      edges: [...overlay.box(marks), ...places.lines(marks, state.now)],
      lines,
      faces,
      only: few ? few.count - 1 : -1,
    });
  };

  const tick = (clock) => {
    if (signal.aborted) return;
    requestAnimationFrame(tick);
    const passed = clockBefore === null ? 0 : Math.min((clock - clockBefore) / 1000, 0.1);
    clockBefore = clock;
    resize(false);
    const ready = find(clock);
    if (ready && state.playing && !source.live) {
      state.now += passed * natural * state.rate;
      if (state.now > last)
        state.now = state.now - last > duration ? first : first + (state.now - last);
      dirty = true;
    }
    if (source.live) {
      state.now = ready ? ready.a.time + (ready.b.time - ready.a.time) * ready.part : 0;
      // Goes on until the newest frame itself has been drawn: the flock may stand still at it.
      dirty ||= Boolean(ready) && ready.a !== ready.b && (ready.part < 1 || shown?.part < 1);
    }
    const found = find(clock);
    if (found && (dirty || chart.stale)) {
      dirty = false;
      shown = { ...found, pair: pairs.of(found.a, found.b) };
      explain(false);
      draw();
      chart.draw(state.now);
      player.drawn = (player.drawn ?? 0) + 1;
    }
    const i = found && (found.part >= 1 ? found.i + 1 : found.i);
    const boids = found ? (source.frame(i) ?? found.a).ids.length : source.boids;
    controls.show({
      ...state,
      boids,
      step: found ? source.step(i) : null,
      waiting: !found,
      error: source.error(),
    });
  };

  source.onframe = (i) => {
    if (source.live) {
      const clock = performance.now();
      if (live.came > 0) live.every = 0.8 * live.every + 0.2 * Math.min(clock - live.came, 1000);
      live.came = clock;
      chart.stale = true;
    }
    dirty = true;
  };
  controls.span([first, last]);
  source.onexplained = () => explain(true);
  canvas.addEventListener(
    "webglcontextlost",
    () => fail("The graphics card gave up: reload the page."),
    { signal },
  );
  // Where it can be told why a boid goes where it goes.
  const invitation = document.getElementById("invitation");
  invitation.textContent =
    source.noun === "people"
      ? "Press a person to see why they go where they go."
      : "Press a boid to see why it goes where it goes.";
  invitation.hidden = !source.invites || state.chosen !== null || Boolean(before);
  requestAnimationFrame(tick);
  document.body.classList.remove("empty");
  window.player = player;
  return player;
};

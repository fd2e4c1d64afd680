// The camera: looks at a target from a distance. In space it orbits, z up; in the plane it looks
// straight down and `distance` is half the height of what is seen. Pointers (mouse, pen, one finger
// or two) and the wheel move it.
Wingbeat.camera = (dimensions) => {
  const { vec, mat } = Wingbeat;
  const FOV = (40 * Math.PI) / 180;
  const camera = {
    target: [0, 0, 0],
    distance: 1,
    yaw: -0.9,
    pitch: 0.35,
    size: [1, 1],
    covered: 0,
    top: 0,
    left: 0,
    rightCovered: 0,
  };
  camera.matrix = mat.ortho(1, 1, -1, 1);
  let home = null;

  const axes = () => {
    if (dimensions === 2) return { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] };
    const [cy, sy, cp, sp] = [
      Math.cos(camera.yaw),
      Math.sin(camera.yaw),
      Math.cos(camera.pitch),
      Math.sin(camera.pitch),
    ];
    const back = [cp * cy, cp * sy, sp];
    const right = [-sy, cy, 0];
    return { right, up: vec.cross(back, right), back };
  };

  camera.update = (width, height) => {
    camera.size = [width, height];
    const { right, up, back } = axes();
    const aspect = width / height;
    let projection;
    if (dimensions === 2) {
      camera.eye = vec.add(camera.target, back);
      projection = mat.ortho(camera.distance * aspect, camera.distance, -10, 10);
    } else {
      camera.eye = vec.add(camera.target, vec.scale(back, camera.distance));
      const far = camera.distance + 4 * (home?.radius ?? camera.distance);
      projection = mat.perspective(FOV, aspect, Math.max(far / 4000, camera.distance / 100), far);
    }
    camera.back = back;
    [camera.right, camera.up] = [right, up];
    // Controls cover the edges: the target is in the middle of what is left.
    const raised = [
      1, 0, 0, 0,
      0, 1, 0, 0,
      0, 0, 1, 0,
      (camera.left - camera.rightCovered) / width, (camera.covered - camera.top) / height, 0, 1,
    ];
    camera.matrix = mat.times(raised, mat.times(projection, mat.look(camera.eye, right, up, back)));
    // Lengths that a pixel covers at the target.
    camera.pixel =
      dimensions === 2
        ? (2 * camera.distance) / height
        : (2 * camera.distance * Math.tan(FOV / 2)) / height;
  };

  // Shows a box whole, with some air around it, where nothing covers it.
  camera.fit = (bounds, width, height) => {
    const size = vec.sub(bounds.max, bounds.min);
    const center = vec.scale(vec.add(bounds.max, bounds.min), 0.5);
    const free = Math.max(height - camera.covered - camera.top, height / 6);
    const wide = Math.max(width - camera.left - camera.rightCovered, width / 3);
    const radius = Math.max(vec.norm(size) / 2, 1e-6);
    const flat = Math.max((size[1] * height) / free, (size[0] * height) / wide, 1e-6) * 0.54;
    const round =
      (radius * 0.92) / Math.sin(FOV / 2) / Math.min(free / height, (wide / height) * 1.1);
    home = { target: center, distance: dimensions === 2 ? flat : round, radius };
    camera.home();
  };

  camera.home = () => {
    if (!home) return;
    camera.target = [...home.target];
    camera.distance = home.distance;
    [camera.yaw, camera.pitch] = [-0.9, 0.35];
  };

  camera.zoom = (factor, at) => {
    const before = at && camera.plane(at);
    camera.distance = Math.min(
      Math.max(camera.distance * factor, home.distance / 500),
      home.distance * 6,
    );
    if (before && dimensions === 2) {
      camera.update(...camera.size);
      camera.target = vec.add(camera.target, vec.sub(before, camera.plane(at)));
    }
  };

  camera.pan = (dx, dy) => {
    const { right, up } = axes();
    const move = vec.add(vec.scale(right, -dx * camera.pixel), vec.scale(up, dy * camera.pixel));
    camera.target = vec.add(camera.target, move);
  };

  camera.orbit = (dx, dy) => {
    camera.yaw -= dx * 0.006;
    camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.006, -1.5), 1.5);
  };

  // Where in the plane a pixel is.
  camera.plane = ([x, y]) => [
    camera.target[0] +
      (x - (camera.size[0] + camera.left - camera.rightCovered) / 2) * camera.pixel,
    camera.target[1] - (y - (camera.size[1] - camera.covered + camera.top) / 2) * camera.pixel,
    0,
  ];

  // A point in pixels, and its depth; null behind the camera.
  camera.screen = (p) => {
    const [x, y, z, w] = mat.project(camera.matrix, p);
    return w > 0
      ? [((x / w + 1) * camera.size[0]) / 2, ((1 - y / w) * camera.size[1]) / 2, z / w]
      : null;
  };

  return camera;
};

// Pointers and the wheel on a canvas. `on.moved(panned)` follows each move, `on.tapped([x, y])` a
// press that went nowhere.
Wingbeat.hands = (canvas, camera, dimensions, on, signal) => {
  const pointers = new Map();
  let travelled = 0;
  let most = 0;
  const place = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const spread = () => {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    return { middle: [(ax + bx) / 2, (ay + by) / 2], apart: Math.hypot(ax - bx, ay - by) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) [travelled, most] = [0, 0];
    pointers.set(event.pointerId, place(event));
    most = Math.max(most, pointers.size);
  }, { signal });
  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const [was, now] = [pointers.get(event.pointerId), place(event)];
    const before = pointers.size === 2 ? spread() : null;
    pointers.set(event.pointerId, now);
    const [dx, dy] = [now[0] - was[0], now[1] - was[1]];
    travelled += Math.hypot(dx, dy);
    if (travelled < 5) return;
    if (before) {
      const after = spread();
      camera.zoom(before.apart / Math.max(after.apart, 1), after.middle);
      camera.pan(after.middle[0] - before.middle[0], after.middle[1] - before.middle[1]);
      on.moved(true);
    } else if (pointers.size === 1) {
      const pans = dimensions === 2 || event.shiftKey || (event.buttons & 6) !== 0;
      if (pans) camera.pan(dx, dy);
      else camera.orbit(dx, dy);
      on.moved(pans);
    }
  }, { signal });
  const lift = (event) => {
    const had = pointers.delete(event.pointerId);
    if (
      had &&
      event.type === "pointerup" &&
      travelled < 5 &&
      most === 1 &&
      pointers.size === 0 &&
      event.button === 0
    ) {
      on.tapped(place(event));
    }
  };
  canvas.addEventListener("pointerup", lift, { signal });
  canvas.addEventListener("pointercancel", lift, { signal });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      camera.zoom(
        Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0015),
        place(event),
      );
      on.moved(false);
    },
    { passive: false, signal },
  );
};

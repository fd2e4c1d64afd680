// What the page says of a boid against the engine, in scenes of every kind. Where the page shows forces, they are those of
// `wingbeat explain` for the same state: the frame as the page has it. Where it cannot compute them, it shows none, says so, and shows
// who is near. In every scene the command line that it gives leads to that very boid at that very step.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

// Presets that have nothing but the three rules of one species: here the page must show forces, and in no others.
const PLAIN = ["shoal", "murmuration", "reynolds1987", "opensteer", "seek_flee", "vision_cone"];
const SMALLER = { shoal: 1500, murmuration: 1500, reynolds1987: 800, vision_cone: 800, vision_cone_follow: 800, evacuation: 400, obstacle_course: 600 };

const FORCES = [
  ["shoal", "--boids", "600", "--set", "neighborhood.kind=topological", "--set", "neighborhood.k=6", "--set", "agent.combine=prioritized",
    "--set", "alignment.of=heading", "--set", "alignment.include_self=true", "--set", "cohesion.response=steer"],
  ["shoal", "--boids", "600", "--set", "separation.response=flee", "--set", "separation.near_radius=0.5", "--set", "separation.field_of_view=90",
    "--set", "agent.combine=direction", "--set", "alignment.response=unit"],
  ["shoal", "--boids", "600", "--set", "separation.nearest=3", "--set", "cohesion.nearest=5"],
  ["shoal", "--boids", "600", "--set", "domain.kind=walled", "--set", "domain.margin=6.0", "--set", "domain.strength=3.0"],
  ["shoal", "--boids", "600", "--set", "domain.kind=reflecting"],
  // Some have left by then: the box is given, as the scene's would be sized for those who are there.
  ["tuned.toml", "--set", "domain.kind=absorbing", "--set", "domain.min=[-8.0, -8.0]", "--set", "domain.max=[8.0, 8.0]"],
  ["murmuration", "--boids", "600", "--set", "domain.kind=open"],
  ["tuned.toml", "--set", "cohesion.weight=2.5", "--seed", "7"],
  // Pairs that stay together: without separation nothing parts them.
  ["twins.toml"],
];
const NEAR = [
  ["shoal", "--boids", "600", "--set", "drive.gust.kind=wind", "--set", "drive.gust.vector=[1.0, 0.5]"],
  ["murmuration", "--boids", "600", "--set", "obstacle.rock.kind=sphere", "--set", "obstacle.rock.center=[0.0, 0.0, 0.0]", "--set", "obstacle.rock.radius=2.0"],
  ["shoal", "--boids", "600", "--set", "flock.steer_every=3"],
  ["vicsek1995", "--boids", "300", "--set", "drive.gust.kind=wind", "--set", "drive.gust.vector=[1.0, 0.5]"],
  ["kinds.toml"],
  ["twins.toml", "--set", "separation.radius=1.0"],
];
// Pairs are parted in the first step.
const FIRST = ["twins.toml --set separation.radius=1.0"];
const FILES = {
  "twins.toml": '[flock]\ndimensions = 2\n\n[initial]\nfile = "twins.csv"\n\n[domain]\nkind = "walled"\nmin = [-1.0, -1.0]\nmax = [6.0, 2.0]\n\n[cohesion]\nradius = 1.5\n',
  "twins.csv": `id,x,y,vx,vy\n${[...Array(12).keys()].map((id) => `${id},${id >> 1},0.5,1.0,0.0`).join("\n")}\n`,
  "tuned.toml": '[flock]\nboids = 300\ndimensions = 2\n\n[spawn]\nspacing = 0.8\nspeed = 1.0\n\n[domain]\nkind = "periodic"\n\n[agent]\nmax_speed = 2.0\n\n[separation]\nradius = 0.9\n\n[cohesion]\nradius = 2.0\n',
  "kinds.toml": '[flock]\nboids = 200\ndimensions = 2\n\n[spawn]\nspacing = 1.0\nspeed = 1.0\n\n[domain]\nkind = "periodic"\n\n[species.cod]\ncount = 150\n\n[species.cod.agent]\nmax_speed = 2.0\n\n[species.cod.cohesion]\nradius = 2.0\n\n[species.pike]\ncount = 50\n\n[species.pike.agent]\nmax_speed = 3.0\n\n[species.pike.separation]\nradius = 2.0\n',
};
const BOIDS = 6;
const STEPS = 40;
const FRAME = 15;

const axesOf = (dimensions) => ["x", "y", "z"].slice(0, dimensions);
const size = (v) => Math.hypot(...v);
// Vectors agree to a thousandth of the larger of the two and of what they are made of.
const close = (a, b, scale) => a.every((x, k) => Math.abs(x - b[k]) <= 1e-3 * scale + 1e-6);

export const againstTheEngine = async ({ open, run, file, folder, wingbeat, assert }) => {
  Object.entries(FILES).forEach(([name, text]) => writeFileSync(file(name), text));
  const presets = run("presets").trim().split("\n").map((line) => line.split(" ")[0]);
  PLAIN.forEach((name) => assert(presets.includes(name), `no preset ${name}`));
  const smaller = (name) => [name, ...(SMALLER[name] ? ["--boids", String(SMALLER[name])] : [])];
  const scenes = [
    ...presets.map((name) => [PLAIN.includes(name), smaller(name)]),
    ...FORCES.map((scene) => [true, scene]),
    ...NEAR.map((scene) => [false, scene]),
  ];

  for (const [n, [forces, [scene, ...values]]] of scenes.entries()) {
    const name = `explain-${n}.html`;
    const where = [scene, ...values].join(" ");
    run("run", scene, ...values, "--steps", String(STEPS), "--html", name);
    const page = await open(name);
    const frame = FIRST.includes(where) ? 0 : FRAME;
    const state = await page.evaluate(observe, [frame, BOIDS]);
    const shown = await panel(page, state.told[2].boid, frame);
    await page.context().close();
    for (const told of state.told) {
      if (forces) againstItsState(told, state);
      else noForces(told, state);
    }
    assert(shown.forces === forces, `${where}: the panel ${shown.forces ? "has" : "lacks"} a table of forces`);
    assert(shown.note === state.told[2].note && shown.command === state.told[2].command, `${where}: the panel says ${shown.note} ${shown.command}`);
    leadsThere(state.told[2], state);

    function againstItsState(told) {
      const at = `${where}: boid ${told.boid}`;
      assert(told.decision.kind === "terms", `${at}: no forces, and ${told.note}`);
      const rows = state.ids.map((id, i) => [id, ...part(state.position, i), ...part(state.velocity, i)].join(","));
      const axes = axesOf(state.dimensions);
      writeFileSync(file("state.csv"), `id,${axes.join(",")},${axes.map((a) => `v${a}`).join(",")}\n${rows.join("\n")}\n`);
      const engine = JSON.parse(run("explain", scene, ...values, "--initial", "state.csv", "--boid", String(told.boid), "--json"));
      assert(engine.decision.combine === told.decision.combine, `${at}: ${engine.decision.combine}`);
      const [theirs, ours] = [engine.decision.terms, told.decision.terms];
      assert(theirs.map((term) => term.term).join() === ours.map((term) => term.term).join(), `${at}: terms`);
      theirs.forEach((term, k) => {
        const mine = ours[k];
        const ids = (sees) => (sees?.neighbors ?? []).map((one) => one.id).sort((a, b) => a - b).join();
        assert(ids(term.sees) === ids(mine.sees), `${at}, ${term.term}: sees ${ids(mine.sees)}, the engine ${ids(term.sees)}`);
        assert((term.sees?.out_of_sight ?? 0) === (mine.sees?.out_of_sight ?? 0), `${at}, ${term.term}: out of sight`);
        for (const one of ["weighted", "taken"]) {
          assert(close(mine[one], term[one], size(term[one])), `${at}, ${term.term} ${one}: ${mine[one]}, the engine ${term[one]}`);
        }
      });
      const scale = Math.max(...theirs.map((term) => size(term.taken)), size(engine.decision.steering));
      // What the step uses: the engine's own, not only what it decides.
      const [mine, its] = [told.steering, engine.steering];
      assert(close(mine, its, engine.decision.combine === "direction" ? 10 : scale), `${at}: steering ${mine}, the engine ${its}`);
    }

    function noForces(told) {
      const at = `${where}: boid ${told.boid}`;
      const { decision } = told;
      assert(decision.kind === "nearest" && !decision.terms && !decision.steering && !told.steering, `${at}: it shows forces: ${JSON.stringify(told.steering)}`);
      assert(/This page cannot compute .*explained by/.test(told.note), `${at}: ${told.note}`);
      const listed = decision.sees.neighbors;
      const distances = near(told.boid);
      const expected = decision.sees.radius === null ? distances.slice(0, 7) : distances.filter(([, d]) => d <= decision.sees.radius);
      const sorted = [...listed].sort((a, b) => a.distance - b.distance).map((one) => one.distance);
      assert(listed.length === expected.length, `${at}: ${listed.length} boids are listed, ${expected.length} are near`);
      expected.forEach(([id, d], k) => assert(Math.abs(d - sorted[k]) <= 1e-5 * (1 + d), `${at}: ${id} is ${d} away, the page says ${sorted[k]}`));
    }

    // All others with their distances, nearest first.
    function near(id) {
      const own = part(state.position, state.ids.indexOf(id));
      const others = state.ids.map((other, i) => {
        const offset = part(state.position, i).map((x, a) => {
          const d = x - own[a];
          return state.sides ? d - state.sides[a] * Math.round(d / state.sides[a]) : d;
        });
        return [other, size(offset)];
      });
      return others.filter(([other]) => other !== id).sort((a, b) => a[1] - b[1]);
    }

    function part(column, i) {
      return axesOf(state.dimensions).map((_, a) => column[3 * i + a]);
    }

    // The command line as it stands there, given to a shell.
    function leadsThere(told) {
      assert(told.command?.startsWith("wingbeat explain "), `${where}: ${told.command}`);
      const command = told.command.replace(/^wingbeat/, '"$0"');
      const answer = JSON.parse(execFileSync("sh", ["-c", `${command} --json`, wingbeat], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 }));
      assert(answer.boid === told.boid && answer.step === told.step, `${told.command}: boid ${answer.boid}, step ${answer.step}`);
      const within = (a, b, error) => a.every((x, k) => Math.abs(x - b[k]) <= 1.01 * error + 1e-5 * Math.abs(b[k]));
      assert(within(told.position, answer.position, state.errors.position), `${told.command}: at ${answer.position}, in the page ${told.position}`);
      assert(within(told.velocity, answer.velocity, state.errors.velocity), `${told.command}: flies ${answer.velocity}, in the page ${told.velocity}`);
    }
  }
};

// In the page: the frame, and what it says of some of its boids.
const observe = async ([frame, count]) => {
  player.pick(null);
  const { source } = player;
  while (!source.frame(frame)) await new Promise((done) => setTimeout(done, 20));
  const { ids, position, velocity } = source.frame(frame);
  const chosen = [...Array(count).keys()].map((k) => ids[Math.floor(((k + 0.5) * ids.length) / count)]);
  const told = await Promise.all(chosen.map((id) => source.explain(id, frame)));
  const { min, max } = source.scene.domain;
  const sides = source.periodic ? min.map((low, a) => max[a] - low) : null;
  const { dimensions, errors } = source;
  return { ids: [...ids], position: [...position], velocity: [...velocity], dimensions, errors, sides, told };
};

// The panel of a boid in that frame.
const panel = async (page, id, frame) => {
  await page.evaluate(([id, frame]) => {
    if (player.state.playing) player.toggle();
    player.seek(player.source.time(frame));
    player.pick(id);
  }, [id, frame]);
  await page.waitForFunction(([id, frame]) => player.state.told?.boid === id && player.state.told.step === player.source.step(frame), [id, frame]);
  return page.evaluate(() => {
    const text = (name) => document.querySelector(`#inspector [data-part=${name}]`)?.textContent;
    return { forces: Boolean(document.querySelector("#inspector [data-part=terms] table")), note: text("note"), command: text("command") };
  });
};

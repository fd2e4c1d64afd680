// The page's explanations against the engine's, from the same state: the frame as the page has it, given to `wingbeat explain`.
import { writeFileSync } from "node:fs";

const SCENES = [
  ["shoal", "--boids", "1500", "--steps", "40"],
  ["murmuration", "--boids", "1500", "--steps", "40"],
  ["reynolds1987", "--boids", "800", "--steps", "40"],
  ["opensteer", "--steps", "40"],
  ["vision_cone", "--boids", "800", "--steps", "20"],
  ["shoal", "--boids", "600", "--steps", "40", "--set", "neighborhood.kind=topological", "--set", "neighborhood.k=6", "--set", "agent.combine=prioritized",
    "--set", "alignment.of=heading", "--set", "alignment.include_self=true", "--set", "cohesion.response=steer"],
  ["shoal", "--boids", "600", "--steps", "40", "--set", "separation.response=flee", "--set", "separation.near_radius=0.5", "--set", "separation.field_of_view=90",
    "--set", "agent.combine=direction", "--set", "alignment.response=unit"],
];
const BOIDS = 6;
const FRAME = 15;

// Vectors agree to a thousandth of the larger of the two and of what they are made of.
const close = (a, b, scale) => a.every((x, k) => Math.abs(x - b[k]) <= 1e-3 * scale + 1e-6);
const size = (v) => Math.hypot(...v);

export const againstTheEngine = async ({ open, run, file, assert }) => {
  for (const [n, [scene, ...values]] of SCENES.entries()) {
    const name = `explain-${n}.html`;
    run("run", scene, ...values, "--html", name);
    const page = await open(name);
    const state = await page.evaluate(async ([frame, count]) => {
      player.pick(null);
      const { source } = player;
      while (!source.frame(frame)) await new Promise((done) => setTimeout(done, 20));
      const { ids, position, velocity } = source.frame(frame);
      const chosen = [...Array(count).keys()].map((k) => ids[Math.floor(((k + 0.5) * ids.length) / count)]);
      const told = await Promise.all(chosen.map((id) => source.explain(id, frame)));
      return { ids: [...ids], position: [...position], velocity: [...velocity], dimensions: source.dimensions, told };
    }, [FRAME, BOIDS]);
    await page.context().close();

    const axes = ["x", "y", "z"].slice(0, state.dimensions);
    const rows = state.ids.map((id, i) => {
      const own = (column) => axes.map((_, a) => column[3 * i + a]);
      return [id, ...own(state.position), ...own(state.velocity)].join(",");
    });
    writeFileSync(file("state.csv"), `id,${axes.join(",")},${axes.map((a) => `v${a}`).join(",")}\n${rows.join("\n")}\n`);
    const kept = values.filter((_, i) => values[i] !== "--steps" && values[i - 1] !== "--steps");
    for (const told of state.told) {
      const engine = JSON.parse(run("explain", scene, ...kept, "--initial", "state.csv", "--boid", String(told.boid), "--json"));
      const where = `${scene} ${values.join(" ")}: boid ${told.boid}`;
      assert(engine.decision.combine === told.decision.combine, `${where}: ${engine.decision.combine}`);
      const [theirs, ours] = [engine.decision.terms, told.decision.terms];
      assert(theirs.map((term) => term.term).join() === ours.map((term) => term.term).join(), `${where}: terms`);
      theirs.forEach((term, k) => {
        const mine = ours[k];
        const ids = (sees) => (sees?.neighbors ?? []).map((one) => one.id).sort((a, b) => a - b).join();
        assert(ids(term.sees) === ids(mine.sees), `${where}, ${term.term}: sees ${ids(mine.sees)}, the engine ${ids(term.sees)}`);
        assert((term.sees?.out_of_sight ?? 0) === (mine.sees?.out_of_sight ?? 0), `${where}, ${term.term}: out of sight`);
        for (const part of ["weighted", "taken"]) {
          assert(close(mine[part], term[part], size(term[part])), `${where}, ${term.term} ${part}: ${mine[part]}, the engine ${term[part]}`);
        }
      });
      const scale = Math.max(...theirs.map((term) => size(term.taken)), size(engine.decision.steering));
      const [mine, its] = [told.decision.steering, engine.decision.steering];
      assert(close(mine, its, engine.decision.combine === "direction" ? 10 : scale), `${where}: steering ${mine}, the engine ${its}`);
    }
  }
};

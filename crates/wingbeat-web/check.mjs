// The built module in Node against the engine it is made from: the golden hashes of all presets, explanations as the command has
// them, and a flock that goes on from another's checkpoint in the same bits.
//
//   node check.mjs MODULE.wasm WINGBEAT
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [file, wingbeat] = process.argv.slice(2);
const scenes = join(dirname(fileURLToPath(import.meta.url)), "../wingbeat-scene");
const module = readFileSync(file);
const script = (name) => readFileSync(join(scenes, "../wingbeat-page/assets", name), "utf8");
const { Module, readFrame } = new Function(`const Wingbeat = {};\n${script("module.js")}${script("frame.js")}return Wingbeat;`)();
const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};

const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
assert(imports.length === 0, `it asks for ${imports.map((one) => one.name).join(", ")}`);
const paths = module.toString("latin1").match(/\/(home|root|usr|tmp|build)\/[\w./-]+/);
assert(!paths, `it names a folder of the machine it was built on: ${paths?.[0]}`);

// The table of the engine's own test, which is run on every level there.
const table = readFileSync(join(scenes, "tests/scenes/same_bits.rs"), "utf8");
const number = (name) => Number(table.match(new RegExp(`const ${name}: usize = (\\d+);`))[1]);
const [usual, steps] = [number("BOIDS"), number("STEPS")];
const golden = [...table.matchAll(/^ {4}\("(\w+)", 0x([0-9a-f_]+)\),$/gm)].map(([, name, hash]) => [name, hash.replaceAll("_", "")]);
assert(golden.length > 20, `only ${golden.length} golden hashes were found`);

const preset = (name, boids) => {
  const text = readFileSync(join(scenes, `presets/${name}.toml`), "utf8");
  const changed = text.replace(/^boids = \d+/m, `boids = ${boids}`);
  assert(/^boids = \d+/m.test(text), `${name} does not say how many boids`);
  return changed;
};
const explain = (flock, boid) => {
  const { page, error } = flock.request({ do: "explain", id: 1, boid });
  assert(error === null, error);
  return page;
};
const began = Date.now();
for (const [name, hash] of golden) {
  const boids = ["cucker_smale", "couzin2002"].includes(name) ? 200 : usual;
  const flock = await Module.open(module);
  flock.build(name, preset(name, boids));
  flock.step(steps);
  assert(flock.stateHash === hash, `${name}: ${flock.stateHash}, golden is ${hash}`);
}
console.log(`ok  ${golden.length} golden hashes (${((Date.now() - began) / 1000).toFixed(1)} s)`);

for (const [name] of golden) {
  const [first, other] = [await Module.open(module), await Module.open(module)];
  for (const flock of [first, other]) flock.build(name, preset(name, 150));
  first.step(40);
  other.restore(first.checkpoint());
  const { ids } = readFrame(first.frame());
  assert(JSON.stringify(explain(other, ids[100])) === JSON.stringify(explain(first, ids[100])), `${name}: another explanation`);
  for (const flock of [first, other]) flock.step(20);
  assert(first.stateHash === other.stateHash, `${name} does not go on in the same bits`);
  assert(readFrame(first.frame()).ids.length === readFrame(other.frame()).ids.length, `${name}: not the same boids`);
}
console.log("ok  every preset goes on from a checkpoint");

for (const name of ["shoal", "leader", "evacuation", "hunter_prey", "mason", "murmuration"]) {
  const flock = await Module.open(module);
  flock.build(name, preset(name, 300));
  for (const [step, boid] of [[0, 0], [7, 97], [25, 250]]) {
    const made = { 0: 0, 7: 7, 25: 18 }[step];
    flock.step(made);
    const args = ["explain", name, "--boids", "300", "--boid", String(boid), "--step", String(step), "--json"];
    const told = execFileSync(wingbeat, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    const same = JSON.stringify(explain(flock, boid)) === JSON.stringify(JSON.parse(told));
    assert(same, `${name}, boid ${boid} at step ${step}: another explanation than the command's`);
  }
}
console.log("ok  explanations are the command's, number by number");

const refused = await Module.open(module);
const says = (act, text) => {
  try {
    act();
  } catch (error) {
    return assert(error.message.includes(text), `it says ${error.message}, not ${text}`);
  }
  throw new Error(`not refused: ${text}`);
};
says(() => refused.step(), "no scene was built");
says(() => refused.build("bad.toml", "[flock]\nboids = -3\n"), "bad.toml:2: flock.boids = -3");
says(() => refused.build("far.toml", "[flock]\nboids = 3\n[initial]\nfile = \"a.csv\"\n"), "without files");
refused.build("small.toml", "[flock]\nboids = 3\ndimensions = 2\n[cohesion]\n");
says(() => explain(refused, 3), "no living boid has id 3");
says(() => refused.request({ do: "dance", id: 1 }), "not a request");
assert(refused.request({ do: "set", id: 2, key: "cohesion.raduis", value: "1" }).error.includes("cohesion.radius"), "no advice");
says(() => refused.restore(new Uint8Array(5)), "the bytes end early");
says(() => refused.build("more.toml", "[flock]\nboids = 3\ndimensions = 2\n[cohesion]\n", new Uint8Array(60)), "no frame");
// Boids given at the start are those that a file would have given.
const given = await Module.open(module);
given.build("far.toml", "[flock]\ndimensions = 2\n[initial]\nfile = \"a.csv\"\n[cohesion]\n", new Uint8Array(refused.frame()));
for (const flock of [given, refused]) flock.step(9);
assert(given.stateHash === refused.stateHash && readFrame(given.frame()).step === 9, "another start");
console.log("ok  what is wrong is refused in words");

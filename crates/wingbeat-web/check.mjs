// The built modules in Node against the engine they are made from: the golden hashes of all
// presets, each in the module of its dimension, explanations as the command has them, and a flock
// that goes on from another's checkpoint in the same bits.
//
//   node check.mjs WINGBEAT [FOLDER]      default: the modules that pages carry,
//                                         ../wingbeat-page/assets/engine
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [wingbeat, folder = join(here, "../wingbeat-page/assets/engine")] = process.argv.slice(2);
const scenes = join(here, "../wingbeat-scene");
const script = (name) => readFileSync(join(here, "../wingbeat-page/assets", name), "utf8");
const { Module, readFrame } = new Function(
  `const Wingbeat = {};\n${script("module.js")}${script("frame.js")}return Wingbeat;`,
)();
const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};

const modules = {};
for (const name of ["plane", "space"]) {
  const module = gunzipSync(readFileSync(join(folder, `${name}.wasm.gz`)));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
  assert(imports.length === 0, `${name} asks for ${imports.map((one) => one.name).join(", ")}`);
  const paths = module.toString("latin1").match(/\/(home|root|usr|tmp|build|work)\/[\w./-]+/);
  assert(!paths, `${name} names a folder of the machine it was built on: ${paths?.[0]}`);
  modules[name] = module;
}
// A flock of the module that holds its scene's dimension.
const open = (text) => Module.open(/^dimensions = 2/m.test(text) ? modules.plane : modules.space);

// The table of the engine's own test, which is run on every level there.
const table = readFileSync(join(scenes, "tests/scenes/same_bits.rs"), "utf8");
const number = (name) => Number(table.match(new RegExp(`const ${name}: usize = (\\d+);`))[1]);
const [usual, steps] = [number("BOIDS"), number("STEPS")];
const golden = [...table.matchAll(/^ {4}\("(\w+)", 0x([0-9a-f_]+)\),$/gm)].map(([, name, hash]) => [
  name,
  hash.replaceAll("_", ""),
]);
assert(golden.length > 20, `only ${golden.length} golden hashes were found`);

// Presets that have no room for as many as the others start with.
const room = Object.fromEntries(
  [
    ...readFileSync(join(scenes, "tests/scenes/main.rs"), "utf8").matchAll(
      /^ +"(\w+)" => (\d+),$/gm,
    ),
  ].map(([, name, most]) => [name, Number(most)]),
);
assert(room.rvo_blocks === 100, "the test's table of presets with little room was not found");

const preset = (name, wanted) => {
  const boids = Math.min(wanted, room[name] ?? wanted);
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
  const text = preset(name, boids);
  const flock = await open(text);
  flock.build(name, text);
  flock.step(steps);
  assert(flock.stateHash === hash, `${name}: ${flock.stateHash}, golden is ${hash}`);
}
console.log(`ok  ${golden.length} golden hashes (${((Date.now() - began) / 1000).toFixed(1)} s)`);

for (const [name] of golden) {
  const text = preset(name, 150);
  const [first, other] = [await open(text), await open(text)];
  for (const flock of [first, other]) flock.build(name, text);
  first.step(40);
  other.restore(first.checkpoint());
  const { ids } = readFrame(first.frame());
  const boid = ids[Math.min(100, ids.length - 1)];
  assert(
    JSON.stringify(explain(other, boid)) === JSON.stringify(explain(first, boid)),
    `${name}: another explanation`,
  );
  for (const flock of [first, other]) flock.step(20);
  assert(first.stateHash === other.stateHash, `${name} does not go on in the same bits`);
  assert(
    readFrame(first.frame()).ids.length === readFrame(other.frame()).ids.length,
    `${name}: not the same boids`,
  );
}
console.log("ok  every preset goes on from a checkpoint");

for (const name of ["shoal", "leader", "evacuation", "hunter_prey", "mason", "murmuration"]) {
  const text = preset(name, 300);
  const flock = await open(text);
  flock.build(name, text);
  for (const [step, boid] of [[0, 0], [7, 97], [25, 250]]) {
    const made = { 0: 0, 7: 7, 25: 18 }[step];
    flock.step(made);
    const args = [
      "explain", name, "--boids", "300", "--boid", String(boid), "--step", String(step), "--json",
    ];
    const told = execFileSync(wingbeat, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    // As values: the order of keys is not promised.
    const same = isDeepStrictEqual(explain(flock, boid), JSON.parse(told));
    assert(same, `${name}, boid ${boid} at step ${step}: another explanation than the command's`);
  }
}
console.log("ok  explanations are the command's, number by number");

const says = (act, text) => {
  try {
    act();
  } catch (error) {
    return assert(error.message.includes(text), `it says ${error.message}, not ${text}`);
  }
  throw new Error(`not refused: ${text}`);
};
for (const [name, dimensions, other] of [["plane", 2, 3], ["space", 3, 2]]) {
  const refused = await Module.open(modules[name]);
  const flock = (dimensions, more = "boids = 3\n") =>
    `[flock]\n${more}dimensions = ${dimensions}\n[cohesion]\n`;
  says(() => refused.step(), "no scene was built");
  says(() => refused.build("bad.toml", "[flock]\nboids = -3\n"), "bad.toml:2: flock.boids = -3");
  says(
    () => refused.build("far.toml", `${flock(dimensions)}[initial]\nfile = "a.csv"\n`),
    "without files",
  );
  says(
    () => refused.build("other.toml", flock(other)),
    `other.toml:3: flock.dimensions = ${other}: allowed is ${dimensions}:`,
  );
  refused.build("small.toml", flock(dimensions));
  says(() => explain(refused, 3), "no living boid has id 3");
  says(() => refused.request({ do: "dance", id: 1 }), "not a request");
  assert(
    refused
      .request({ do: "set", id: 2, key: "cohesion.raduis", value: "1" })
      .error.includes("cohesion.radius"),
    "no advice",
  );
  says(() => refused.restore(new Uint8Array(5)), "the bytes end early");
  says(() => refused.build("more.toml", flock(dimensions), new Uint8Array(60)), "no frame");
  // Boids given at the start are those that a file would have given.
  const given = await Module.open(modules[name]);
  given.build(
    "far.toml",
    `${flock(dimensions, "")}[initial]\nfile = "a.csv"\n`,
    new Uint8Array(refused.frame()),
  );
  for (const flock of [given, refused]) flock.step(9);
  assert(
    given.stateHash === refused.stateHash && readFrame(given.frame()).step === 9,
    "another start",
  );
}
console.log("ok  what is wrong is refused in words");

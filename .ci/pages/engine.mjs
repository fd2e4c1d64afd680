// The engine in the page against the command, for every preset: pages that run a scene end in the
// state of `wingbeat run`; what a page says of a boid is what `wingbeat explain --json` says,
// number by number; a flock that takes off from a recorded moment ends where the recording does.
// And what a page cannot run, it says.
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const BOIDS = 200;
const STEPS = 200;
const FRAMES = [0, 37, 160];
const ASKED = 10;
const TAKES_OFF = 90;

const FILES = {
  // Boids that start from a file, some of them at one place.
  "twins.toml":
    '[flock]\ndimensions = 2\n\n[initial]\nfile = "twins.csv"\n\n' +
    '[domain]\nkind = "walled"\nmin = [-1.0, -1.0]\nmax = [6.0, 2.0]\n\n' +
    "[separation]\nradius = 1.0\n\n[cohesion]\nradius = 1.5\n",
  "twins.csv": `id,x,y,vx,vy\n${[...Array(24).keys()]
    .map((id) => `${3 * id},${(id >> 1) / 2},0.5,1.0,0.0`)
    .join("\n")}\n`,
  // Some leave.
  "leaving.toml":
    "[flock]\nboids = 200\ndimensions = 2\n\n[spawn]\nspacing = 0.8\nspeed = 1.0\n\n" +
    '[domain]\nkind = "absorbing"\nmin = [-6.0, -6.0]\nmax = [6.0, 6.0]\n\n' +
    "[agent]\nmax_speed = 2.0\n\n[separation]\nradius = 0.9\n\n[cohesion]\nradius = 2.0\n",
};
const OTHERS = [
  ["twins.toml"],
  ["leaving.toml"],
  ["shoal", "--boids", "200", "--set", "flock.steer_every=3"],
  [
    "murmuration", "--boids", "200", "--seed", "7", "--set", "drive.gust.kind=wind", "--set",
    "drive.gust.vector=[1.0, 0.5, 0.0]",
  ],
];

export const againstTheEngine = async ({ open, run, file, assert }) => {
  Object.entries(FILES).forEach(([name, text]) => writeFileSync(file(name), text));
  const presets = run("presets").trim().split("\n").map((line) => line.split(" ")[0]);
  assert(presets.length === 36, `${presets.length} presets`);
  const scenes = [...presets.map((name) => [name, "--boids", String(BOIDS)]), ...OTHERS];
  const table = [];
  for (const [n, [scene, ...values]] of scenes.entries()) {
    const where = [scene, ...values].join(" ");
    const ran = JSON.parse(
      run(
        "run", scene, ...values, "--steps", String(STEPS), "--record", `own-${n}.wbr`, "--no-html",
        "--json",
      ),
    );
    await itself(n, [scene, ...values], ran, where);
    await recorded(n, [scene, ...values], ran, where);
    table.push(`${ran.state_hash}  ${where}`);
  }
  console.log(`after ${STEPS} steps, in the page as in the command:\n${table.join("\n")}`);
  await elsewhere();

  // The page that runs the scene by itself.
  async function itself(n, scene, ran, where) {
    run("page", ...scene, "-o", `own-${n}.html`);
    const page = await open(`own-${n}.html`);
    const hash = await page.evaluate((steps) => window.engine.hash(steps), STEPS);
    assert(
      hash === ran.state_hash,
      `${where}: ${hash} in the page, ${ran.state_hash} in the command`,
    );
    const warmed = await page.evaluate(() => player.source.frame(player.source.latest).step);
    const isCrowd = await page.evaluate(() => player.source.noun === "people");
    assert(warmed > 0 || isCrowd, `${where}: the page opens with its flock as it was spawned`);
    await page.context().close();
  }

  // The recording's page: explanations, and the flock that goes on.
  async function recorded(n, scene, ran, where) {
    run("replay", `own-${n}.wbr`, "-o", `replay-${n}.html`);
    const page = await open(`replay-${n}.html`);
    await page.evaluate(() => player.state.playing && player.toggle());
    for (const step of FRAMES) {
      for (const answer of await page.evaluate(explained, [step, ASKED])) {
        assert(
          answer.command.endsWith(` --boid ${answer.boid} --step ${step}`),
          `${where}: ${answer.command}`,
        );
        const exact = JSON.parse(
          run("explain", ...scene, "--boid", String(answer.boid), "--step", String(step), "--json"),
        );
        const { time, command, ...page } = answer;
        const both = [page, exact].map((one) => ({ ...one, scene: null }));
        const said = both.map((one) => JSON.stringify(one)).join("\n");
        // As values: the order of keys is not promised.
        assert(
          isDeepStrictEqual(...both),
          `${where}: boid ${answer.boid} at step ${step}:\n${said}`,
        );
      }
    }
    const taken = await page.evaluate(takenOver, [TAKES_OFF, STEPS]);
    assert(
      taken.first === TAKES_OFF,
      `${where}: it takes off at step ${taken.first}, not ${TAKES_OFF}`,
    );
    assert(
      taken.hash === ran.state_hash,
      `${where}: taken over at step ${TAKES_OFF}, it ends in ${taken.hash}, not ${ran.state_hash}`,
    );
    assert(taken.ids === taken.recorded, `${where}: not the boids that the recording ends with`);
    // Back to the recording, by the same key.
    await page.locator("#view").focus();
    await page.keyboard.press("l");
    await page.waitForFunction(() => !player.source.live);
    const back = await page.evaluate((time) => Math.abs(player.state.now - time), taken.now);
    assert(back < 1e-6, `${where}: back in the recording ${back} from where it was left`);
    await page.context().close();
  }

  // What a page cannot run, and what is not the run it says it is.
  async function elsewhere() {
    writeFileSync(file("stream.csv"), "");
    run(
      "run", "shoal", "--boids", "60", "--steps", "20", "--record", "part.wbr", "--no-html",
      "--json",
    );
    run("convert", "part.wbr", "part.csv");
    run("replay", "part.csv", "-o", "part.html", "--fps", "20");
    const page = await open("part.html");
    const told = await page.evaluate(() => player.source.explain(17, 5));
    assert(
      told.decision.kind === "nearest" &&
        told.steering === null &&
        /holds no rules/.test(told.note),
      `no scene: ${told.note}`,
    );
    assert(
      (await page.locator("#fly").isHidden()) &&
        (await page.evaluate(() => window.engine)) === null,
      "no engine without a scene",
    );
    await page.context().close();
  }
};

// What the page says of so many boids of the frame of a step.
const explained = async ([step, asked]) => {
  const { source } = player;
  const i = [...Array(source.frames()).keys()].find((k) => source.step(k) === step);
  let frame = source.frame(i);
  for (; !frame; frame = source.frame(i)) await new Promise((resolve) => setTimeout(resolve, 20));
  const stride = Math.max(1, Math.floor(frame.ids.length / asked));
  const told = [];
  for (let k = 0; k < frame.ids.length && told.length < asked; k += stride) {
    let one = await source.explain(frame.ids[k], i);
    for (let tries = 0; /on its way/.test(one.note) && tries < 200; tries++)
      one = await source.explain(frame.ids[k], i);
    told.push(one);
  }
  return told;
};

// The flock takes off from the frame of a step, and makes the steps that are left.
const takenOver = async ([from, steps]) => {
  const recording = player.source;
  const count = recording.frames();
  const i = [...Array(count).keys()].find((k) => recording.step(k) === from);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  player.seek(recording.time(i));
  while (player.stepShown() !== from) await pause();
  const { now } = player.state;
  let last = recording.frame(count - 1);
  for (; !last; last = recording.frame(count - 1)) await pause();
  await recording.takeOver(false);
  while (!player.source.live) await pause();
  const newest = () => player.source.frame(player.source.latest);
  const first = newest().step;
  for (let k = from; k < steps; k++) player.source.advance();
  while (newest().step < steps) await pause();
  return {
    first,
    now,
    hash: await window.engine.liveHash(),
    ids: newest().ids.join(),
    recorded: last.ids.join(),
  };
};

// The live view in a real browser: the flock flies, sliders change the running engine and say what
// was refused, pause, step and reset do as they say, a boid is explained by the engine, two tabs
// share one flock, and what is saved is what ran.
//
//   node live.mjs WINGBEAT FOLDER      pictures go to FOLDER; needs playwright-core, and chromium
//                                      at /usr/bin
//
// Nothing here asks how fast pictures come: that is the machine's business.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [wingbeat, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const file = (name) => join(folder, name);
const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};

const views = [];
// A view of a scene, and its address.
const serve = async (...args) => {
  const view = spawn(wingbeat, ["view", ...args, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  views.push(view);
  const address = await new Promise((done, failed) => {
    view.stdout.once("data", (line) => done(String(line).trim()));
    view.once("exit", (code) => failed(new Error(`the view ended with ${code}`)));
  });
  const ended = new Promise((done) => view.once("exit", (code) => done(code)));
  return { address, stop: () => (view.kill("SIGINT"), ended) };
};

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
  ],
});
const complaints = [];

const open = async ({ address }, settings = {}) => {
  const context =
    settings.context ??
    (await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "dark",
      acceptDownloads: true,
      ...settings,
    }));
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  page.on("console", (message) => {
    if (
      ["error", "warning"].includes(message.type()) &&
      !/GPU stall|ReadPixels/.test(message.text())
    )
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob|ws):/.test(request.url()))
      complaints.push(`it fetches ${request.url()}`);
  });
  await page.goto(address);
  await drawn(page);
  return page;
};
const drawn = (page) => page.waitForFunction(() => window.player?.drawn > 0);

// Another page, to look at pictures in.
const eye = await (await browser.newContext()).newPage();
const look = async (page) => {
  const { width, height } = page.viewportSize();
  const clip = { x: width * 0.35, y: height * 0.2, width: width * 0.35, height: height * 0.4 };
  const picture = (await page.screenshot({ clip })).toString("base64");
  return eye.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    let hash = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      colors.add((pixels[i] >> 3) | ((pixels[i + 1] >> 3) << 5) | ((pixels[i + 2] >> 3) << 10));
      hash = (Math.imul(hash, 31) + pixels[i] + 256 * pixels[i + 1] + 65536 * pixels[i + 2]) | 0;
    }
    return { colors: colors.size, hash };
  }, picture);
};

// The newest frame: where it is in time, and how fast its boids are; null while the page is loaded
// anew.
const newest = async (page) => {
  try {
    return await page.evaluate(frame);
  } catch (error) {
    if (/navigation/.test(error.message)) return null;
    throw error;
  }
};
const frame = () => {
  const source = window.player?.source;
  if (!source) return null;
  const { step, time, run, ids, velocity } = source.frame(source.latest);
  let speed = 0;
  for (let i = 0; i < ids.length; i++)
    speed += Math.hypot(...velocity.subarray(3 * i, 3 * i + 3)) / ids.length;
  return { step, time, run, boids: ids.length, speed };
};
const until = async (page, what, holds) => {
  for (let tries = 0; tries < 1200; tries++) {
    const frame = await newest(page);
    if (frame && holds(frame)) return frame;
    await page.waitForTimeout(50);
  }
  throw new Error(`in vain: ${what}; ${JSON.stringify(await newest(page))}`);
};
const box = (page, key) => page.locator(`[data-key="${key}"]`);
const slider = (page, key) => page.locator(`[data-slider="${key}"]`);
const type = async (page, key, value) => {
  await box(page, key).fill(value);
  await box(page, key).press("Enter");
};
const errorOf = (page, key) => page.locator(`.control:has([data-key="${key}"]) .error`);
const unfold = (page, section) =>
  page.locator(`details[data-section="${section}"]`).evaluate((group) => (group.open = true));

// A boid that stands apart on the screen, or nearly, so that pressing there can mean no other.
const apart = () => {
  const { source, camera } = player;
  const frame = source.frame(source.latest);
  const places = [...frame.ids].map((id, i) => ({
    id,
    at: camera.screen([...frame.position.slice(3 * i, 3 * i + 3)]),
  }));
  const near = places.filter(({ at }) => at && Math.hypot(at[0] - 600, at[1] - 330) < 200);
  const room = (one) =>
    Math.min(
      ...near.map((other) =>
        other === one ? Infinity : Math.hypot(other.at[0] - one.at[0], other.at[1] - one.at[1]),
      ),
    );
  return near.map((one) => ({ ...one, room: room(one) })).sort((a, b) => b.room - a.room)[0];
};
// Presses a boid of a flock that stands still, once the picture has come to rest too.
const choose = async (page) => {
  await page.waitForFunction(() => player.state.now === player.source.time(player.source.latest));
  const target = await page.evaluate(apart);
  await page.mouse.click(...target.at.slice(0, 2));
  const told = page.waitForFunction((id) => player.state.told?.boid === id, target.id);
  await told.catch(async (error) => {
    const { chosen, told } = await page.evaluate(() => player.state);
    throw new Error(
      `pressed ${JSON.stringify(target)}: chosen is ${chosen}, ` +
        `explained is ${told?.boid}: ${error.message}`,
    );
  });
};

const desk = async () => {
  const view = await serve("shoal", "--boids", "3000");
  const page = await open(view);
  const before = await look(page);
  assert(before.colors > 40, `blank, or nearly: ${before.colors} colors`);
  await page.waitForTimeout(600);
  assert((await look(page)).hash !== before.hash, "the picture stays as it was");
  await page.screenshot({ path: file("view.png") });

  // A slider pulled by keys, and a number typed: the running engine follows, without a reset.
  const first = await until(page, "a few steps", ({ step }) => step > 5);
  assert(first.speed > 1, `fish at ${first.speed}`);
  const ranges = await page.evaluate(() =>
    [...document.querySelectorAll(".control [title*='Allowed:']")].map((shown) =>
      shown.title.slice(shown.title.indexOf("Allowed:")),
    ),
  );
  const isRange = (text) =>
    /^Allowed: (-?[\d.]+(?:e-?\d+)?) to (-?[\d.]+(?:e-?\d+)?)\.$/.exec(text);
  // As people write ends that are there only so that there are some.
  const isOpen = (text) =>
    /^Allowed: (any number|above 0|-?[\d.]+ and above|above 0, at most [\d.]+)\.$/.test(text);
  const wrong = ranges.filter((text) => {
    const ends = isRange(text);
    return ends ? !(Number(ends[1]) < Number(ends[2])) : !isOpen(text);
  });
  assert(
    ranges.length > 20 && wrong.length === 0,
    `ranges as they are shown, of ${ranges.length}: ${wrong}`,
  );
  assert(ranges.includes("Allowed: 0 to 360."), `no angle of view among them: ${ranges}`);
  await slider(page, "agent.min_speed").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(
    () => document.querySelector('[data-key="agent.min_speed"]').value === "0",
  );
  await slider(page, "agent.max_speed").focus();
  await page.keyboard.press("Home");
  await until(page, "resting fish", ({ speed }) => speed < 1e-3);
  await type(page, "agent.max_speed", "0.4");
  const slow = await until(page, "slow fish", ({ speed }) => speed > 0.05 && speed < 0.41);
  assert(slow.run === 0 && slow.step > first.step, "no reset");

  // What the engine refuses stands at its slider, in its words, and the flock flies on.
  await type(page, "cohesion.weight", "1e12");
  await errorOf(page, "cohesion.weight").waitFor();
  assert(
    /-1e9 to 1e9/.test(await errorOf(page, "cohesion.weight").innerText()),
    "the allowed range",
  );
  const refused = await newest(page);
  await until(page, "it goes on", ({ step }) => step > refused.step + 5);
  await type(page, "cohesion.weight", "0.7");
  await errorOf(page, "cohesion.weight").waitFor({ state: "hidden" });

  // A rule goes and comes.
  await page.locator('[data-rule="alignment"]').uncheck();
  await page.waitForSelector('[data-key="alignment.weight"]', { state: "detached" });
  await page.locator('[data-rule="alignment"]').check();
  await page.waitForSelector('[data-key="alignment.weight"]', { state: "attached" });

  // Pause, step, go on.
  await page.click("#play");
  await page.waitForFunction(() => player.source.still);
  await page.waitForTimeout(300);
  const still = await newest(page);
  await page.waitForTimeout(300);
  assert((await newest(page)).step === still.step, "paused");
  await page.click("#forth");
  await until(page, "one step", ({ step }) => step === still.step + 1);
  await page.locator("#view").focus();
  await page.keyboard.press("ArrowRight");
  await until(page, "another", ({ step }) => step === still.step + 2);

  // A boid is explained: by the engine, of the step that comes.
  await choose(page);
  const told = await page.evaluate(() => player.state.told);
  assert(
    told.step === still.step + 2 && told.decision.terms.length === 5 && told.origin,
    "the engine's explanation",
  );
  await page.waitForTimeout(200);
  await page.screenshot({ path: file("view-chosen.png") });
  await page.click("#forth");
  await page.waitForFunction((step) => player.state.told?.step === step, still.step + 3);
  // A pulled slider explains itself at once.
  await type(page, "cohesion.weight", "2.5");
  await page.waitForFunction(
    () =>
      player.state.told?.decision.terms.find(({ term }) => term === "cohesion").rule.weight === 2.5,
  );

  // What needs a reset waits for it.
  await unfold(page, "flock");
  await type(page, "flock.boids", "2500");
  await page.waitForFunction(() =>
    /flock.boids/.test(document.querySelector(".waits").textContent),
  );
  assert((await newest(page)).boids === 3000, "not yet");
  await page.screenshot({ path: file("view-waits.png") });
  await page.click("#panel button.main");
  await until(
    page,
    "another flock",
    ({ boids, run, step }) => boids === 2500 && run === 1 && step === 0,
  );

  // What is saved is what runs.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click("text=Save scene"),
  ]);
  await download.saveAs(file("tuned.toml"));
  execFileSync(wingbeat, ["check", "tuned.toml"], { cwd: folder });
  await page.click("#forth");
  await until(page, "a step of the new flock", ({ step }) => step === 1);
  execFileSync(wingbeat, ["run", "tuned.toml", "--steps", "1", "--final", "after.csv"], {
    cwd: folder,
    stdio: "ignore",
  });
  const rows = execFileSync("tail", ["-n", "+2", "after.csv"], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n");
  const shown = await page.evaluate(() => [...player.source.frame(player.source.latest).position]);
  rows.forEach((row, i) => {
    const [id, x, y] = row.split(",").map(Number);
    assert(
      id === i && Math.fround(x) === shown[3 * i] && Math.fround(y) === shown[3 * i + 1],
      `boid ${i}: ${row}, not ${shown.slice(3 * i, 3 * i + 2)}`,
    );
  });

  // Another tab: the same flock, and its sliders follow.
  const other = await open(view, { context: page.context() });
  assert((await newest(other)).step === (await newest(page)).step, "the same step");
  await type(other, "separation.weight", "11");
  await page.bringToFront();
  await page.waitForFunction(
    () => document.querySelector('[data-key="separation.weight"]').value === "11",
  );
  await page.click("#play");
  await until(page, "it goes on", ({ step }) => step > 5);
  await other.bringToFront();
  await until(other, "there too", ({ step }) => step > 5);
  await other.close();
  const left = await newest(page);
  await page.bringToFront();
  await until(page, "one tab closed, the other goes on", ({ step }) => step > left.step + 5);

  // Light, and the end.
  await page.keyboard.press("d");
  await page.waitForTimeout(300);
  await page.screenshot({ path: file("view-light.png") });
  const heard = complaints.length;
  assert((await view.stop()) === 0, "Ctrl-C ends it with 0");
  await page.waitForFunction(() => /has ended/.test(document.getElementById("status").textContent));
  await page.context().close();
  // A server that is gone cannot be found again: the browser says so by itself.
  complaints.splice(heard);
};

const space = async () => {
  const view = await serve("murmuration", "--boids", "20000", "--speed", "4");
  const page = await open(view);
  await until(page, "some seconds", ({ time }) => time > 4);
  assert((await look(page)).colors > 40, "blank, or nearly");
  await page.fill("#find-id", "77");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => player.state.told?.boid === 77);
  const before = await page.evaluate(() => player.state.told.step);
  await page.waitForFunction((step) => player.state.told.step > step, before);
  await page.screenshot({ path: file("view-space.png") });
  await page.context().close();
  await view.stop();
};

// Obstacles are drawn, those who leave do not make the page begin anew, and species have colors.
const worlds = async () => {
  const evacuation = await serve("evacuation", "--boids", "300", "--speed", "30");
  const page = await open(evacuation);
  await page.waitForFunction(() => player.source.obstacles(0)?.triangles.length > 0);
  const began = await page.evaluate(
    () => ((window.sameAsBefore = player), player.source.observables.time[0]),
  );
  await page.fill("#find-id", "250");
  await page.keyboard.press("Enter");
  await until(page, "a boid leaves", ({ boids }) => boids < 280);
  const [same, count, subtitle, since] = await page.evaluate(() => [
    window.sameAsBefore === player,
    player.source.boids,
    document.getElementById("subtitle").textContent,
    player.source.observables.time[0],
  ]);
  assert(same && since === began, `the page began anew: its curves since ${since}, not ${began}`);
  assert(
    subtitle.startsWith(`${count} people`) || count < 280,
    `the count stands still: ${subtitle}`,
  );
  await page.screenshot({ path: file("view-evacuation.png") });
  await page.context().close();
  await evacuation.stop();
  const hunt = await serve("hunter_prey", "--boids", "300");
  const other = await open(hunt);
  await until(other, "a few steps", ({ step }) => step > 3);
  const [names, color, kinds] = await other.evaluate(() => [
    player.source.species,
    player.look.color,
    [...new Set(player.source.frame(player.source.latest).species)].sort(),
  ]);
  assert(
    names.join() === "prey,hunter" && color === "species" && kinds.join() === "0,1",
    `species: ${names}, by ${color}, ${kinds}`,
  );
  await other.context().close();
  await hunt.stop();
};

const phone = async () => {
  const view = await serve("shoal", "--boids", "1500");
  const page = await open(view, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= 390, `the page is ${wide} wide on a phone`);
  assert(await page.locator("#panel").isHidden(), "the flock first");
  await page.screenshot({ path: file("view-phone.png") });
  await page.tap("#sliders");
  await page.waitForTimeout(200);
  const panel = await page.locator("#panel").boundingBox();
  assert(
    panel.x >= 0 && panel.x + panel.width <= 390 && panel.y + panel.height <= 844,
    "the panel is off the phone",
  );
  await page.screenshot({ path: file("view-phone-panel.png") });
  await type(page, "cohesion.weight", "3");
  await page.waitForFunction(
    () => document.querySelector('[data-slider="cohesion.weight"]').valueAsNumber > 1.5,
  );
  await page.tap('#panel [aria-label="Close"]');
  assert(await page.locator("#panel").isHidden(), "closed");
  await page.context().close();
  await view.stop();
};

try {
  const step = async (what, act) => {
    const began = Date.now();
    await act();
    console.log(`ok  ${what} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  };
  await step("a live shoal, tuned, paused, reset, saved, shared", desk);
  await step("20,000 starlings in space", space);
  await step("who leaves, obstacles, species", worlds);
  await step("a phone", phone);
  assert(complaints.length === 0, complaints.join("\n"));
  console.log("ok  no complaints, nothing fetched from elsewhere");
} finally {
  views.forEach((view) => view.kill());
  await browser.close();
}

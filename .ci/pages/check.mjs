// Pages in a real browser: they play, scrub, choose and explain, by hand and by keys, on a desk and
// on a phone, and fetch nothing. The engine in them is held against the command.
//
//   node check.mjs WINGBEAT FOLDER      pages and pictures go to FOLDER; needs playwright-core, and
//                                       chromium at /usr/bin
//
// Nothing here asks how fast pictures come: that is the machine's business.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { againstTheEngine } from "./engine.mjs";
import { everyControl } from "./keys.mjs";
import { inStep } from "./pair.mjs";

const [wingbeat, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const file = (name) => join(folder, name);
const run = (...args) =>
  execFileSync(wingbeat, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });

const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
  ],
});
const complaints = [];

const open = async (name, settings = {}) => {
  const context = await browser.newContext({
    viewport: { width: 860, height: 600 },
    colorScheme: "dark",
    ...settings,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  const [path, hash] = name.split("#");
  const address = pathToFileURL(file(path)).href;
  page.on("console", (message) => {
    if (
      ["error", "warning"].includes(message.type()) &&
      !/GPU stall|ReadPixels/.test(message.text())
    )
      complaints.push(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${name}: ${error}`));
  page.on("request", (request) => {
    const asked = request.url();
    if (asked.split("#")[0] !== address && !/^(data|blob):/.test(asked))
      complaints.push(`${name} fetches ${asked}`);
  });
  await page.goto(hash ? `${address}#${hash}` : address);
  await page.waitForFunction(() =>
    (window.pair?.pages ?? [window]).every(({ player }) => player?.drawn > 2),
  );
  return page;
};

// What the picture looks like, at a quarter of its size: how many colors, and a number that tells
// pictures apart.
const look = (page) =>
  page.evaluate(() => {
    const picture = player.picture();
    const small = document.createElement("canvas");
    [small.width, small.height] = [picture.width >> 1, picture.height >> 1];
    const pen = small.getContext("2d");
    pen.drawImage(picture, 0, 0, small.width, small.height);
    const { data } = pen.getImageData(0, 0, small.width, small.height);
    const colors = new Set();
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) {
      colors.add((data[i] >> 3) | ((data[i + 1] >> 3) << 5) | ((data[i + 2] >> 3) << 10));
      hash = (Math.imul(hash, 31) + data[i] + 256 * data[i + 1] + 65536 * data[i + 2]) | 0;
    }
    return { colors: colors.size, hash };
  });
// Pictures that the player has drawn; machines without a graphics card take their time.
const drawn = async (page, more = 1) => {
  const count = await page.evaluate(() => player.drawn);
  await page.waitForFunction((least) => player.drawn >= least, count + more);
};
const changes = async (page, act, what) => {
  const before = await look(page);
  await act();
  for (let tries = 0; tries < 200; tries++) {
    if ((await look(page)).hash !== before.hash) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`${what}: the picture stays as it was`);
};
const clock = (page, text) =>
  page.waitForFunction((t) => document.getElementById("clock").innerText.includes(t), text);
const state = (page) =>
  page.evaluate(() => ({
    ...player.state,
    told: undefined,
    distance: player.camera.distance,
    dark: player.look.dark,
  }));
const pause = async (page) => {
  if ((await state(page)).playing) await page.keyboard.press("Space");
};

const desk = async (name, dimensions) => {
  const page = await open(name);
  const seen = await look(page);
  assert(seen.colors > 40, `${name}: blank, or nearly: ${seen.colors} colors`);
  assert(
    (await page.evaluate(() => [player.source.boids, player.source.dimensions])).join() ===
      `10000,${dimensions}`,
    "10,000 boids",
  );
  await changes(page, () => drawn(page, 2), `${name} plays`);
  await page.click("#play");
  assert(!(await state(page)).playing, "the button pauses");
  await changes(page, () => page.locator("#scrub").fill("1.5"), `${name} scrubs`);
  assert(Math.abs((await state(page)).now - 1.5) < 1e-6, "the time is where it was scrubbed to");
  await page.locator("#scrub").focus();
  await page.keyboard.press("End");
  await clock(page, "step 60");
  await page.locator("#view").focus();
  await page.keyboard.press("ArrowLeft");
  await clock(page, "step 59");

  // Press a boid near the middle, where the frame has it.
  const target = await page.evaluate(() => {
    const { source, camera } = player;
    const frame = source.frame(59);
    let best = null;
    for (let i = 0; i < frame.ids.length; i++) {
      const at = camera.screen([...frame.position.slice(3 * i, 3 * i + 3)]);
      const away = Math.hypot(at[0] - 260, at[1] - 240);
      if (!best || away < best.away) best = { id: frame.ids[i], at, away };
    }
    return best;
  });
  await changes(
    page,
    () => page.mouse.click(...target.at.slice(0, 2)),
    `${name}: the chosen boid's neighbors, sight and forces`,
  );
  await page.waitForSelector("#inspector:not([hidden]) table");
  const chosen = Number(await page.locator("#inspector [data-part=id]").innerText());
  if (dimensions === 2) assert(chosen === target.id, `pressed ${target.id}, chosen ${chosen}`);
  // Until the engine has come to this step, who is near is shown.
  await page.waitForFunction(() => player.state.told?.decision.terms);
  const told = await page.evaluate(() => player.state.told);
  // Three rules and walls; fish are stirred as well.
  assert(
    told.step === 59 && told.decision.terms.length === (dimensions === 2 ? 5 : 4) && told.sentence,
    "the explanation of that frame, with its terms",
  );
  assert(
    (await page.locator("#inspector [data-part=terms] tbody tr").count()) >= 4,
    "the terms are listed, and their sum",
  );
  await page.screenshot({ path: file(`${name}-chosen.png`) });
  for (const part of dimensions === 2 ? ["links", "sight", "forces"] : ["forces"]) {
    await changes(page, () => page.click(`[data-show=${part}]`), `${name}: without ${part}`);
  }
  await page.keyboard.press("Escape");
  assert(await page.locator("#inspector").isHidden(), "let go");

  for (const key of dimensions === 2 ? ["]"] : ["c"])
    await changes(page, () => page.keyboard.press(key), `${name}: key ${key}`);
  await changes(page, () => page.keyboard.press("d"), `${name}: light`);
  await page.screenshot({ path: file(`${name}-light.png`) });
  await page.keyboard.press("d");
  await page.keyboard.press("?");
  assert(await page.locator("#keys").isVisible(), "help");
  await page.keyboard.press("Escape");
  assert(await page.locator("#keys").isHidden(), "no help");
  const { distance } = await state(page);
  await page.mouse.move(300, 260);
  await changes(page, () => page.mouse.wheel(0, -400), `${name}: wheel`);
  assert((await state(page)).distance < distance, "nearer");
  await changes(page, async () => {
    await page.mouse.down();
    await page.mouse.move(380, 300, { steps: 3 });
    await page.mouse.up();
  }, `${name}: drag`);
  await page.keyboard.press("n");
  await page.keyboard.press("f");
  assert((await state(page)).following, "followed");
  await page.keyboard.press("r");
  const before = (await state(page)).now;
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await drawn(page, 2);
  assert(
    (await state(page)).playing && (await state(page)).now < before,
    "plays again from the start",
  );
  await page.context().close();
};

const phone = async (name) => {
  const page = await open(name, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(wide <= 390, `${name}: the page is ${wide} wide on a phone`);
  for (const id of ["play", "scrub", "speed", "color", "help"]) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert(
      box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844,
      `${name}: ${id} is off the phone`,
    );
  }
  await page.tap("#play");
  assert(!(await state(page)).playing, "a tap pauses");
  const touches = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    touches.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  const { distance } = await state(page);
  await touch("touchStart", [170, 330], [220, 330]);
  for (let k = 1; k <= 6; k++) await touch("touchMove", [170 - 12 * k, 330], [220 + 12 * k, 330]);
  await touch("touchEnd");
  assert((await state(page)).distance < 0.7 * distance, `${name}: two fingers apart zoom in`);
  await page.keyboard.press("r");
  await page.keyboard.press("n");
  await page.waitForSelector("#inspector:not([hidden]) table");
  // The panel is there, and the picture has made room for it, with the next.
  await page.waitForTimeout(500);
  await page.screenshot({ path: file(`${name}-phone.png`) });
  await page.context().close();
};

// Boids that come and go, no scene: ids are kept, and the page says what it does not know.
const guests = async () => {
  const rows = ["frame,id,x,y"];
  for (let frame = 0; frame < 40; frame++) {
    for (let id = 0; id < 30; id++) {
      if (frame >= id && frame < id + 20)
        rows.push(`${frame},${id * 10},${(frame - id) * 0.5},${id + Math.sin(frame / 4)}`);
    }
  }
  writeFileSync(file("guests.csv"), rows.join("\n") + "\n");
  run("replay", "guests.csv", "-o", "guests.html", "--fps", "10");
  const page = await open("guests.html");
  await pause(page);
  await page.fill("#find-id", "120");
  await page.keyboard.press("Enter");
  await page.locator("#view").focus();
  await page.keyboard.press("Home");
  await page.waitForSelector("[data-part=absent]:not([hidden])");
  await page.evaluate(() => player.seek(1.5));
  await page.waitForSelector("[data-part=absent]", { state: "hidden" });
  const told = await page.evaluate(() => player.state.told);
  await changes(page, () => page.keyboard.press("t"), "longer trails");
  await changes(page, () => page.evaluate(() => player.set({ trails: "off" })), "no trails");
  assert(
    told.boid === 120 &&
      told.decision.kind === "nearest" &&
      told.decision.sees.neighbors.length === 7,
    "the nearest seven",
  );
  assert(
    /holds no rules/.test(await page.locator("[data-part=note]").innerText()),
    "the page says what it does not know",
  );
  await page.context().close();
};

// Bodies are drawn to scale, exits with their names, and the panel says which boids a boid looks
// ahead at.
const crowd = async () => {
  run("run", "evacuation", "--boids", "200", "--steps", "60", "--html", "evacuation.html");
  const page = await open("evacuation.html#t=2.5&boid=17");
  await pause(page);
  await page.waitForFunction(() => player.state.told?.advance?.anticipation);
  const told = (await page.locator("[data-part=others] p").allInnerTexts()).join(" ");
  assert(
    /looks ahead \(collision free speed\) at/.test(told) && /prefers a speed of/.test(told),
    `anticipation: ${told}`,
  );
  assert(
    (await page.locator(".places span").allInnerTexts()).join() === "door",
    "the exit has its name",
  );
  await page.keyboard.press("Escape");
  await changes(
    page,
    () => page.evaluate(() => ((player.camera.distance /= 6), player.redraw())),
    "nearer",
  );
  await page.screenshot({ path: file("evacuation-bodies.png") });
  await changes(
    page,
    () => page.evaluate(() => ((player.source.radii = []), player.redraw())),
    "without bodies",
  );
  await page.context().close();
};

// A link leads to its moment and boid, and what is saved is what is shown.
const saved = async () => {
  const page = await open("shoal.html#t=1.25&boid=17", { acceptDownloads: true });
  await page.waitForFunction(() => player.state.told?.decision.terms);
  const { now, chosen, playing } = await state(page);
  assert(
    Math.abs(now - 1.25) < 1e-6 && chosen === 17 && !playing,
    `the link leads to ${now}, ${chosen}`,
  );
  const get = async (what) => {
    const press = () =>
      page.evaluate((what) => document.querySelector(`[data-save=${what}]`).click(), what);
    const [download] = await Promise.all([page.waitForEvent("download"), press()]);
    await download.saveAs(file(`saved-${what}`));
    return readFileSync(file(`saved-${what}`));
  };
  assert((await get("picture")).subarray(1, 4).toString() === "PNG", "the picture");
  const rows = (await get("frame")).toString().trim().split("\n");
  const shown = await page.evaluate(() => [...player.frame().position.subarray(51, 53)]);
  assert(rows.length === 10001 && rows[0] === "id,x,y,vx,vy", `${rows.length} rows: ${rows[0]}`);
  assert(
    rows[18]
      .split(",")
      .slice(0, 3)
      .every((cell, k) => Math.fround(Number(cell)) === [17, ...shown][k]),
    `boid 17: ${rows[18]}, not ${shown}`,
  );
  const curves = (await get("curves")).toString().trim().split("\n");
  assert(
    curves.length === 62 && curves[0].startsWith("time,polarization,"),
    `${curves.length} rows: ${curves[0]}`,
  );
  await page.evaluate(() => document.querySelector("[data-save=film]").click());
  await page.evaluate(() => player.toggle());
  await drawn(page, 3);
  await page.waitForTimeout(1500);
  assert((await get("film")).length > 1000, "the film");
  await page.evaluate(() => player.toggle());
  await page.evaluate(() => (location.hash = "#t=0.5&boid=20"));
  await page.waitForFunction(
    () => player.state.chosen === 20 && Math.abs(player.state.now - 0.5) < 1e-6,
  );
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  await clock(page, "step 60");
  assert(!(await state(page)).playing, "End shows the last frame");
  await page.context().close();
};

try {
  const step = async (what, act) => {
    const began = Date.now();
    await act();
    console.log(`ok  ${what} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  };
  run("run", "shoal", "--boids", "10000", "--steps", "60", "--html", "shoal.html");
  run("run", "murmuration", "--boids", "10000", "--steps", "60", "--html", "murmuration.html");
  await step("10,000 fish in the plane", () => desk("shoal.html", 2));
  await step("10,000 starlings in space", () => desk("murmuration.html", 3));
  await step("links, pictures, films and tables", saved);
  await step("a phone", () => phone("murmuration.html"));
  await step("who comes and goes", guests);
  await step("bodies, exits, and what anticipation says", crowd);
  await step("two recordings in step", () => inStep({ open, run, assert }));
  await step("the page's engine is the command's", () =>
    againstTheEngine({ open, run, file, assert }),
  );
  await step("every control, by keys alone", () => everyControl({ open, run, assert }));
  assert(complaints.length === 0, complaints.join("\n"));
  console.log("ok  no complaints, nothing fetched");
} finally {
  await browser.close();
}

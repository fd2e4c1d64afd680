// Pages for people, in a real browser: a lesson says what to look at and has its sliders first, a
// playground flies what is typed and shares it, a page of a crowd counts who has left.
//
//   node people.mjs WINGBEAT FOLDER      pages and pictures go to FOLDER; needs playwright-core,
//                                        and chromium at /usr/bin
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [wingbeat, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const file = (name) => join(folder, name);
const run = (...args) => execFileSync(wingbeat, args, { encoding: "utf8" });
const assert = (holds, text) => {
  if (!holds) throw new Error(text);
};
const same = (a, b, text) => {
  const [left, right] = [a, b].map((x) => JSON.stringify(x));
  assert(left === right, `${text}: ${left} and ${right}`);
};

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-background-networking", "--no-first-run"],
});
const complaints = [];
const open = async (name, width, height, colorScheme = "dark") => {
  const isPhone = width < 500;
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme, acceptDownloads: true, hasTouch: isPhone,
    isMobile: isPhone,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  page.on("console", (message) => {
    if (
      ["error", "warning"].includes(message.type()) &&
      !/GPU stall|ReadPixels/.test(message.text())
    )
      complaints.push(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${name}: ${error}`));
  await page.goto(name.includes("://") ? name : `file://${file(name)}`);
  await page.waitForFunction(() => window.player?.drawn > 0);
  return page;
};
const SIZES = [[1440, 900], [1366, 650], [390, 844]];
const text = (page, where) => page.locator(where).innerText();
const ok = (what) => console.log(`ok  ${what}`);

// --- a lesson

run("page", "three_rules", "-o", file("lesson.html"));
assert(statSync(file("lesson.html")).size <= 900e3, "a page of a scene has at most 900 kB");
for (const [width, height] of SIZES) {
  for (const scheme of ["dark", "light"]) {
    const page = await open("lesson.html", width, height, scheme);
    same(await text(page, "#title"), "Three rules", "its title");
    assert((await page.locator(".words p").count()) === 2, "its text has two paragraphs");
    assert((await page.locator(".words em").count()) === 1, "one of them has emphasis");
    const keys = await page
      .locator(".first [data-key]")
      .evaluateAll((boxes) => boxes.map((box) => box.dataset.key));
    const rules = ["separation", "alignment", "cohesion"].map((rule) => `${rule}.weight`);
    same(keys, rules, "the sliders that come first");
    same(await page.locator(".first .note:not(.about)").count(), 3, "each has a sentence");
    assert(!(await page.locator(".more").evaluate((more) => more.open)), "the rest is folded");
    // What is on the screen at once: the three weights where the screen is wide, and the flock
    // where nothing covers it.
    const seen = await page.evaluate(() => {
      const place = (element) => element.getBoundingClientRect();
      const panel = place(document.getElementById("panel"));
      const { camera, source } = window.player;
      const corners = [source.bounds.min, source.bounds.max].map((corner) => camera.screen(corner));
      return {
        panel: [panel.left, panel.top, panel.right, panel.bottom],
        boxes: [...document.querySelectorAll(".first [data-key]")].map((box) => place(box).bottom),
        dock: place(document.querySelector(".dock")).top,
        tools: place(document.querySelector(".tools")).bottom,
        left: corners[0][0], bottom: corners[0][1], right: corners[1][0], top: corners[1][1],
        boid: camera.pixel > 0 && window.player.look.scale,
      };
    });
    const isWide = width > 760;
    if (isWide)
      assert(seen.boxes.every((bottom) => bottom <= seen.panel[3]), "the three weights are seen");
    assert(
      seen.left >= (isWide ? seen.panel[2] : 0) && seen.right <= width &&
        seen.top >= seen.tools && seen.bottom <= (isWide ? seen.dock : seen.panel[1]),
      `${width} by ${height}: nothing covers the flock: ${JSON.stringify(seen)}`,
    );
    await page.screenshot({ path: file(`lesson-${width}-${scheme}.png`) });
    await page.context().close();
  }
}
ok("a lesson says what to look at, at three sizes, dark and light");

{
  const page = await open("lesson.html", 1366, 650);
  assert(await page.locator("#invitation").isVisible(), "it invites");
  await page.locator('[data-slider="cohesion.weight"]').focus();
  const before = Number(await page.locator('[data-key="cohesion.weight"]').inputValue());
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    (before) => Number(document.querySelector('[data-key="cohesion.weight"]').value) > before,
    before,
  );
  const value = await page.locator('[data-key="cohesion.weight"]').inputValue();
  assert((await page.evaluate(() => engine.toml())).includes(`weight = ${value}`),
    "the engine has the slider's value");
  await page.evaluate(() => engine.request({ do: "pause" }));
  const at = await page.evaluate(() => {
    const frame = player.frame();
    const middle = [innerWidth / 2, innerHeight / 2];
    const away = ([x, y]) => Math.hypot(x - middle[0], y - middle[1]);
    const places = Array.from(frame.ids, (_, i) =>
      player.camera.screen(frame.position.slice(3 * i, 3 * i + 3)),
    );
    return places.reduce((best, place) => (away(place) < away(best) ? place : best));
  });
  await page.mouse.click(...at.slice(0, 2));
  await page.locator("#inspector").waitFor({ state: "visible" });
  assert(await page.locator("#invitation").isHidden(), "an invitation that was followed goes");
  await page.screenshot({ path: file("lesson-pressed.png") });
  await page.context().close();
}
ok("by keys and by a press");

// Flags make a lesson of any scene.
run(
  "page", "mesa", "--title", "Herding", "--text", "They *gather*. <b>Why?</b>", "--sliders",
  "model.cohere_factor,model.match_factor", "-o", file("flags.html"),
);
{
  const page = await open("flags.html", 1280, 800);
  same(await text(page, "#title"), "Herding", "the title of a flag");
  same(await text(page, ".words"), "They gather. <b>Why?</b>", "its text; HTML is no markup");
  const keys = await page
    .locator(".first [data-key]")
    .evaluateAll((boxes) => boxes.map((box) => box.dataset.key));
  same(keys, ["model.cohere_factor", "model.match_factor"], "its sliders");
  await page.context().close();
}
for (const [slip, words] of [
  ["model.cohere_facto", /--sliders: page.sliders = .*nearest is model.cohere_factor/],
  // A rule that the model does not ask.
  ["cohesion.weight", /page.sliders = cohesion.weight: allowed is keys that act/],
]) {
  const args = ["page", "mesa", "--sliders", slip, "-o", file("no.html")];
  const { status, stderr } = spawnSync(wingbeat, args, { encoding: "utf8" });
  same(status, 2, `the exit code of --sliders ${slip}`);
  assert(words.test(stderr), stderr);
}
ok("flags make a lesson of any scene; a key that there is not is refused");

// --- a playground

run("page", "--playground", "-o", file("playground.html"));
assert(statSync(file("playground.html")).size <= 1.3e6, "a playground has at most 1.3 MB");
const SCENE =
  "[flock]\nboids = 60\ndimensions = 2\ndt = 0.05\n[cohesion]\nradius = 3.0\n" +
  "[alignment]\n[separation]\n";
// The scene from its start, so many steps on: what the command comes to.
const hashOf = (toml, steps) => {
  writeFileSync(file("typed.toml"), toml);
  return JSON.parse(run("run", file("typed.toml"), "--steps", String(steps), "--json")).state_hash;
};
const tell = (page, message) =>
  page.evaluate(
    (message) =>
      new Promise((done) => {
        const id = Math.random();
        const hear = ({ data }) => {
          if (data?.from !== "wingbeat" || data.id !== id) return;
          removeEventListener("message", hear);
          done(data);
        };
        addEventListener("message", hear);
        postMessage({ to: "wingbeat", id, ...message }, "*");
      }),
    message,
  );
const fromStart = async (page, steps) => {
  await tell(page, { do: "pause" });
  await tell(page, { do: "reset" });
  return tell(page, { do: "step", count: steps });
};
let link;
{
  const page = await open("playground.html", 1440, 900);
  const presets = run("presets").trim().split("\n").map((line) => line.split(" ")[0]);
  const listed = await page
    .locator("#preset optgroup option")
    .evaluateAll((options) => options.map(({ value }) => value));
  same(listed, presets, "all presets are in the menu");
  for (const [name, dimensions] of [["murmuration", 3], ["building", 2]]) {
    await page.locator("#preset").selectOption(name);
    await page.waitForFunction(
      ([name, dimensions]) =>
        document.getElementById("toml").value.startsWith(`# ${name}`) &&
        window.player.source.dimensions === dimensions &&
        window.player.source.scene.name === name,
      [name, dimensions],
    );
  }
  ok("a preset out of the menu flies, in space and in the plane");

  // What is typed flies; what is wrong is said at its line, and what flew stays.
  const editor = page.locator("#toml");
  await editor.fill(SCENE.replace("radius = 3.0", "raduis = 3.0"));
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("radius"));
  same((await text(page, ".numbers .wrong")).trim(), "6", "the line that is wrong");
  await editor.fill(SCENE);
  await page.waitForFunction(
    () => document.getElementById("said").textContent === "" && player.source.boids === 60,
  );
  same((await fromStart(page, 20)).hash, hashOf(SCENE, 20), "what is typed is what flies");
  ok("what is typed flies, bit for bit as the command has it; a slip is said at its line");

  // What does not fly is not shared, and a slider does not write over it; put right, all is well.
  // The address follows what flies a moment later.
  await page.waitForFunction(() => location.hash.includes(Wingbeat.sharedScene()));
  const where = page.url();
  await editor.fill(`${SCENE}# notes\n[cohesio]\n`);
  await page.waitForFunction(() => document.getElementById("said").classList.contains("error"));
  await page.locator("#share").click();
  await page.locator('[data-key="cohesion.weight"]').fill("0.75");
  await page.locator('[data-key="cohesion.weight"]').press("Enter");
  await page.locator(".panel .error:not([hidden])").waitFor();
  same(await editor.inputValue(), `${SCENE}# notes\n[cohesio]\n`, "what was typed is kept");
  assert((await text(page, "#said")).includes("cohesio"), "what is wrong is still said");
  same(page.url(), where, "a scene that does not fly is not shared");
  await editor.fill(SCENE);
  await page.waitForFunction(() => document.getElementById("said").textContent === "");
  assert((await page.locator(".numbers .wrong").count()) === 0, "no line is marked");
  ok("what does not fly is neither shared nor written over");

  // An obstacle goes with its lines, and the speed stays as it was chosen.
  const ROCK = '[obstacle.rock]\nkind = "sphere"\ncenter = [0.0, 0.0]\nradius = 2.0\n';
  await tell(page, { do: "play" });
  await page.evaluate(() => engine.request({ do: "speed", factor: 4 }));
  await editor.fill(SCENE + ROCK);
  await page.waitForFunction(() => player.source.obstacles(0) !== null);
  await editor.fill(SCENE);
  await page.waitForFunction(() => player.source.obstacles(0) === null);
  same(await page.locator(".panel select[aria-label=Speed]").inputValue(), "4", "the speed");
  await page.evaluate(() => engine.request({ do: "speed", factor: 1 }));
  ok("an obstacle goes with its lines");

  // A slider writes into the text.
  await page.locator('[data-key="cohesion.weight"]').fill("0.25");
  await page.locator('[data-key="cohesion.weight"]').press("Enter");
  await page.waitForFunction(() => document.getElementById("toml").value.includes("weight = 0.25"));
  const tuned = await editor.inputValue();
  const line = "radius = 3.0\n";
  same(tuned, SCENE.replace(line, `${line}weight = 0.25\n`), "the text with the slider");
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.includes("scene="));
  link = page.url();
  const there = (await fromStart(page, 15)).hash;
  same(there, hashOf(tuned, 15), "tuned as the command has it");
  const [toml] = await Promise.all([
    page.waitForEvent("download"), page.locator("#save-toml").click(),
  ]);
  same(readFileSync(await toml.path(), "utf8"), tuned, "the saved text");
  const [saved] = await Promise.all([
    page.waitForEvent("download"), page.locator("#save-page").click(),
  ]);
  await saved.saveAs(file("saved.html"));
  await page.screenshot({ path: file("playground.png") });
  await page.reload();
  await page.waitForFunction(
    (tuned) => window.player?.drawn > 0 && document.getElementById("toml").value === tuned,
    tuned,
  );
  await page.context().close();

  for (const address of [link, "saved.html"]) {
    const page = await open(address, 1366, 650);
    await page.waitForFunction(
      (tuned) => document.getElementById("toml").value === tuned && player.source.boids === 60,
      tuned,
    );
    same((await fromStart(page, 15)).hash, there, `${address.slice(0, 40)}: the same bits`);
    await page.context().close();
  }
  ok("a link and a saved page have the same scene, and come to the same bits");
}
{
  const page = await open("playground.html", 390, 844, "light");
  // One sheet at a time.
  const shown = () =>
    page.evaluate(() =>
      ["panel", "editor", "inspector"].filter((id) => !document.getElementById(id).hidden),
    );
  same(await shown(), ["panel"], "a lesson has its words open");
  await page.locator("#text").click();
  same(await shown(), ["editor"], "the text in place of the sliders");
  await page.screenshot({ path: file("playground-390.png") });
  await page.locator("#toml").fill(SCENE);
  await page.waitForFunction(() => player.source.boids === 60);
  same(await shown(), ["editor"], "what is typed stays in sight");
  await page.evaluate(() => player.pick(7));
  await page.locator("#inspector").waitFor({ state: "visible" });
  same(await shown(), ["inspector"], "who is pressed in place of both");
  await page.screenshot({ path: file("playground-390-pressed.png") });
  const refused = await tell(page, { do: "load", toml: "[flock]\nboids = -1\n" });
  assert(/:2: flock.boids = -1: allowed/.test(refused.error), refused.error);
  same((await tell(page, { do: "dance" })).error.split(":")[0], "do = dance", "no such message");
  same(refused.toml, SCENE, "the text of what flies");
  same(await page.locator("#toml").inputValue(), SCENE, "and the text that is seen");
  const steps = await tell(page, { do: "step", count: -3 });
  assert(/count = -3: allowed is/.test(steps.error), steps.error);
  const set = await tell(page, { do: "set", key: "alignment.weight", value: 0.5 });
  same(set.error, null, "a key is set by a message");
  await page.context().close();
}
ok("on a phone, and by messages of a page that embeds it");

// --- people

run("page", "building", "-o", file("building.html"));
for (const [width, height] of SIZES) {
  const page = await open("building.html", width, height, width > 1400 ? "light" : "dark");
  const chips = () =>
    page.locator("#legend .chip").evaluateAll((all) => all.map(({ textContent }) => textContent));
  await page.waitForFunction(() => !document.querySelector("#legend")?.textContent.includes("–"));
  const { first, steps } = await page.evaluate(() => ({
    first: player.source.observables.time[0], steps: player.source.frame(0)?.step,
  }));
  assert(first < 1 && !(steps > 20), `a crowd is shown from the alarm on, not from ${first} s on`);
  const names = (await chips()).map((chip) => chip.replace(/[\d.,]+$/, "").trim());
  same(names, ["remaining", "left", "by north", "by east", "mean speed"], "what is counted");
  await page.evaluate(() => engine.request({ do: "speed", factor: 30 }));
  await page.waitForFunction(() => player.frame().ids.length < 60);
  await page.evaluate(() => engine.request({ do: "pause" }));
  await page.waitForTimeout(800);
  const counts = (await chips()).map((chip) => Number(chip.match(/[\d.,]+$/)[0].replace(",", "")));
  same([counts[0] + counts[1], counts[2] + counts[3]], [120, counts[1]], "no person is lost");
  await page.evaluate(() => engine.request({ do: "set", key: "exit.north.closes", value: "5" }));
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".places span")].some(
      ({ textContent }) => textContent === "north (closed)",
    ),
  );
  await page.screenshot({ path: file(`building-${width}.png`) });
  await page.context().close();
}
ok("people are counted by exit, and a closed exit looks closed");

await browser.close();
assert(complaints.length === 0, complaints.join("\n"));

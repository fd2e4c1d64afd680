// Two recordings in one page: in step whatever is pressed, in the timeline of both or in one of the
// halves.
export const inStep = async ({ open, run, assert }) => {
  run("run", "shoal", "--boids", "3000", "--steps", "40", "--record", "long.wbr");
  run("run", "murmuration", "--boids", "2000", "--steps", "20", "--record", "short.wbr");
  run("replay", "long.wbr", "short.wbr", "-o", "both.html");
  const page = await open("both.html", { viewport: { width: 1400, height: 760 } });
  const times = () =>
    page.evaluate(() => [
      pair.now,
      ...pair.pages.map(({ player }) => player.state.now - player.source.time(0)),
    ]);
  const are = async (wanted, what) => {
    const near = (t) => t.every((time, k) => Math.abs(time - wanted[k]) < 1e-6);
    for (let tries = 0; tries < 100 && !near(await times()); tries++) await page.waitForTimeout(50);
    assert(near(await times()), `${what}: ${await times()}, not ${wanted}`);
  };
  const lengths = await page.evaluate(() =>
    pair.pages.map(({ player: { source } }) => source.time(source.frames() - 1) - source.time(0)),
  );
  assert(lengths[0] > lengths[1] + 0.5, `one is longer than the other: ${lengths}`);
  const before = await times();
  await page.waitForFunction((now) => pair.playing && pair.now !== now, before[0]);
  await page.locator("#play").click();
  assert(!(await page.evaluate(() => pair.playing)), "the button pauses both");
  const seek = (time) => page.locator("#scrub").fill(String(time));
  await seek(0.5);
  await are([0.5, 0.5, 0.5], "scrubbed");
  await seek(lengths[0]);
  await are([lengths[0], lengths[0], lengths[1]], "the shorter waits at its end");
  // Between two frames.
  await seek(0.52);
  await are([0.52, 0.52, 0.52], "back again");
  const half = page.frames()[1];
  assert(
    !(await half.locator("#play").isVisible()) && (await half.locator("#chart").isVisible()),
    "one timeline, and two charts",
  );
  await half.locator("#view").focus();
  await half.locator("#view").press("ArrowRight");
  const next = await half.evaluate(() => player.source.time(11) - player.source.time(0));
  await are([next, next, next], "a frame on in one half");
  await half.locator("#view").press(" ");
  await page.waitForFunction(() => pair.playing);
  await page.context().close();
};

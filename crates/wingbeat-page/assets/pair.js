"use strict";
// Two pages side by side under one timeline. Each plays its own recording; this one keeps the time,
// counted from the first frame of each, and whatever is done in one of them by hand or by keys
// happens in both.
const RATES = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const get = (id) => document.getElementById(id);
const pages = [...document.querySelectorAll("iframe")].map((frame) => ({
  frame,
  player: null,
  set: 0,
}));
const pair = (window.pair = { now: 0, last: 0, playing: false, rate: 1, pages });
const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// What one timeline replaces in each page.
const HIDDEN = ".transport, #scrub, .speed, #clock { display: none !important; }";

// Seconds of film for one unit of time, as a page alone has it.
const natural = () => (pair.last >= 4 && pair.last <= 180 ? 1 : pair.last / 30);

const span = (player) => {
  const { source } = player;
  return [source.time(0), source.time(source.frames() - 1)];
};

// A player comes when its page is there, and another where its flock flies on or comes back.
const meet = (page) => {
  const { player, document: inner } = page.frame.contentWindow ?? {};
  if (!player || player === page.player) return;
  const isFirst = page.player === null;
  page.player = player;
  if (isFirst) {
    inner.head.append(Object.assign(inner.createElement("style"), { textContent: HIDDEN }));
    const known = pages.filter((one) => one.player);
    if (known.length === pages.length) {
      pair.last = Math.max(...known.map(({ player }) => span(player)[1] - span(player)[0]));
      get("scrub").max = pair.last > 0 ? pair.last : 1;
      pair.playing = !calm && pair.last > 0;
      // A film begins where its flock has formed, as in a page alone.
      pair.now = 0.25 * pair.last;
    }
  }
  if (!player.source.live) put(page);
};

const put = (page) => {
  const { player } = page;
  const [first, last] = span(player);
  player.state.playing = false;
  const wanted = Math.min(first + pair.now, last);
  if (player.state.now !== wanted) player.seek(wanted);
  page.set = player.state.now;
};

// What was done in a page itself: its keys play and step.
const heed = (page) => {
  const { player } = page;
  const [first] = span(player);
  if (player.state.playing) {
    player.state.playing = false;
    toggle();
  }
  if (player.state.now !== page.set) pair.now = player.state.now - first;
};

const toggle = () => {
  if (!pair.playing && pair.now >= pair.last) pair.now = 0;
  pair.playing = !pair.playing && pair.last > 0;
};

let clockBefore = null;
const tick = (clock) => {
  requestAnimationFrame(tick);
  const passed = clockBefore === null ? 0 : Math.min((clock - clockBefore) / 1000, 0.1);
  clockBefore = clock;
  pages.forEach(meet);
  if (pages.some(({ player }) => !player)) return;
  const playing = pages.filter(({ player }) => !player.source.live);
  playing.forEach(heed);
  if (pair.playing) {
    pair.now += passed * natural() * pair.rate;
    // Both begin anew when the longer one is at its end.
    if (pair.now > pair.last) pair.now = 0;
  }
  playing.forEach(put);
  document.documentElement.dataset.theme =
    pages[0].frame.contentDocument.documentElement.dataset.theme;
  document.body.classList.toggle("playing", pair.playing);
  get("play").setAttribute("aria-label", pair.playing ? "Pause" : "Play");
  if (document.activeElement !== get("scrub") || pair.playing) get("scrub").value = pair.now;
  get("clock").textContent = Number(pair.now.toPrecision(4)).toString();
};

RATES.forEach((rate) => get("speed").add(new Option(`${rate}×`, rate, false, rate === 1)));
get("speed").addEventListener("change", () => (pair.rate = Number(get("speed").value)));
get("scrub").addEventListener("input", () => (pair.now = Number(get("scrub").value)));
get("play").addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (
    event.target.matches("input, select, button") ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  if (event.key !== " ") return;
  event.preventDefault();
  toggle();
});
requestAnimationFrame(tick);

// What the player plays: a *source*. A recording in the page is one (replay.js); a flock that flies
// by itself, behind a server or in the page's own engine, is another (live.js).
//
// source = {
//   title, about        strings for the heading
//   noun                what boids are called: boids, people (optional)
//   lesson              what the page says: { title, text, sliders: [[key, sentence]] } (optional)
//   invites             whether boids tell why they go where they go, if pressed (optional)
//   live                false: all frames are there to scrub; true: frames come as they are made
//   dimensions          2 or 3
//   bounds              { min: [x, y, z], max: [x, y, z] }: what the camera shows first
//   box                 the same of the domain, to be drawn; null in open space
//   periodic            whether opposite faces of the box are one
//   speeds              [low, high] of the colour scale
//   boids               how many there are, at most
//   radii               of a body of each species, or one where there are no species: boids are
//                       drawn as bodies, to scale. Empty or absent where boids are points
//   places              exits and sources: [{ kind, name, lines: six numbers for each, open: when
//                       an exit opens and closes }] (optional)
//   unit                what a length of 1 is called (optional; "units")
//   timeUnit            what a time of 1 is called (optional)
//   obstacles(time)     { lines: six numbers for each, triangles: nine for each, anticlockwise as
//                       seen from outside }, or null; the same object as before where nothing has
//                       moved
//   scene               what the Rust side's scene_json gives (names, domain, the scene for the
//                       engine), or what is known of it
//   species             null, or the names of the species that frame.species counts
//   frames()            how many frames there are; null when live
//   latest              when live: the number of the newest frame, -1 before the first
//   time(i), step(i)    of frame i; undefined of a frame that is gone or not there yet
//   frame(i)            frame i if it is at hand, else null: then it is being fetched, and
//                       onframe(i) follows. When live, frame(latest) is always at hand, and as many
//                       before it as the source keeps (for trails).
//   onframe(i)          set by the player; call it when frame i has come (live: when it is new)
//   observables         null, or { time: [t], names: [text], values: [[number or null]] }, a column
//                       a name; when live it grows, and the player draws it anew with each frame;
//                       the first `counts` (optional) are numbers of boids, on one scale
//   explain(id, i)      a promise of an explanation: the JSON of `wingbeat explain --json`
//                       (wingbeat-session explain), or null where no boid has this id in frame i.
//                       Where the steering is not known, `decision.kind` is "nearest" and `note`
//                       says so.
//   onexplained()       set by the player; call it when an explanation can be had now that could
//                       not before
//   takeOver(), goBack()  lead to another source: the flock that flies on from this frame, and back
//                       (optional)
//   working             a sentence for the reader: what is being waited for (optional)
//   error()             null, or a sentence for the reader: why nothing more comes
//   play(), pause(), advance(), reset()     live only, where the engine can be told to
// }
//
// frame = {
//   time, step
//   ids                 Uint32Array, ascending
//   position            Float32Array, three for each boid; in the plane the third is 0
//   velocity            Float32Array likewise; NaN where it is not known
//   species             Uint8Array, one for each boid, or undefined
// }

// Where an id is in ascending ids; -1 where it is not.
Wingbeat.find = (ids, id) => {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (ids[middle] === id) return middle;
    if (ids[middle] < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

Wingbeat.sameIds = (a, b) => {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

// Where boid i of one frame is in another; -1 where it is not.
Wingbeat.matchIds = (from, to) => {
  const match = new Int32Array(from.length);
  let j = 0;
  for (let i = 0; i < from.length; i++) {
    while (j < to.length && to[j] < from[i]) j++;
    match[i] = j < to.length && to[j] === from[i] ? j : -1;
  }
  return match;
};

"use strict";
const Wingbeat = {};
Wingbeat.unpacked = (text) => {
const digit = (at) => {
const code = text.charCodeAt(at);
return code - 33 - (code > 34) - (code > 60) - (code > 92);
};
const pairs = text.length >> 1;
const bytes = new Uint8Array((13 * pairs + 6 * (text.length & 1)) >> 3);
let [bits, held, next] = [0, 0, 0];
for (let at = 0; at < text.length; at += 2) {
const isPair = at + 1 < text.length;
bits |= (digit(at) + (isPair ? 91 * digit(at + 1) : 0)) << held;
held += isPair ? 13 : 6;
for (; held >= 8; held -= 8) {
bytes[next++] = bits;
bits >>>= 8;
}
}
return bytes;
};
Wingbeat.inflated = (text, format = "gzip") =>
new Response(
new Blob([Wingbeat.unpacked(text)]).stream().pipeThrough(new DecompressionStream(format)),
).arrayBuffer();
Wingbeat.run = async (text) => {
const script = document.createElement("script");
script.textContent = new TextDecoder().decode(await Wingbeat.inflated(text));
document.head.append(script);
};
Wingbeat.Module = class {
#exports;
#session;
static async open(bytes) {
const { instance } = await WebAssembly.instantiate(bytes, {});
return new this(instance.exports);
}
constructor(exports) {
this.#exports = exports;
this.#session = exports.wingbeat_open();
}
build(name, toml, start = null) {
const [first, second] = [name, toml].map((text) => new TextEncoder().encode(text));
const parts = [first, second, new Uint8Array(start ?? 0)];
const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
let at = 0;
for (const part of parts) {
bytes.set(part, at);
at += part.length;
}
this.#put(bytes);
this.#tried(this.#exports.wingbeat_build(this.#session, first.length, second.length));
}
step(steps = 1) {
this.#tried(this.#exports.wingbeat_step(this.#session, steps));
}
get stateHash() {
return BigInt.asUintN(64, this.#exports.wingbeat_state_hash(this.#session))
.toString(16)
.padStart(16, "0");
}
request(request) {
this.#put(new TextEncoder().encode(JSON.stringify(request)));
this.#tried(this.#exports.wingbeat_request(this.#session));
return JSON.parse(this.#text());
}
state() {
this.#tried(this.#exports.wingbeat_state(this.#session));
return JSON.parse(this.#text());
}
toml() {
this.#tried(this.#exports.wingbeat_toml(this.#session));
return this.#text();
}
frame(rate = 0, observe = true) {
this.#tried(this.#exports.wingbeat_frame(this.#session, rate, Number(observe)));
return this.#taken().buffer;
}
checkpoint() {
this.#tried(this.#exports.wingbeat_checkpoint(this.#session));
return this.#taken();
}
restore(bytes) {
this.#put(bytes);
this.#tried(this.#exports.wingbeat_restore(this.#session));
}
world(world) {
this.#put(new TextEncoder().encode(JSON.stringify(world)));
const told = this.#exports.wingbeat_world(this.#session);
if (told === 1) this.#tried(told);
return { 0: "standing", 2: "none", 3: "moving" }[told];
}
shapes(time) {
const {
memory,
wingbeat_set_time,
wingbeat_lines,
wingbeat_line_numbers,
wingbeat_triangles,
wingbeat_triangle_numbers,
} = this.#exports;
wingbeat_set_time(this.#session, time);
const numbers = (at, count) =>
new Float32Array(memory.buffer, at(this.#session), count(this.#session)).slice();
return {
lines: numbers(wingbeat_lines, wingbeat_line_numbers),
triangles: numbers(wingbeat_triangles, wingbeat_triangle_numbers),
};
}
#put(bytes) {
const at = this.#exports.wingbeat_input(this.#session, bytes.length);
new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
}
#taken() {
const { memory, wingbeat_output, wingbeat_output_bytes } = this.#exports;
return new Uint8Array(
memory.buffer,
wingbeat_output(this.#session),
wingbeat_output_bytes(this.#session),
).slice();
}
#text() {
return new TextDecoder().decode(this.#taken());
}
#tried(refused) {
if (refused) throw new Error(this.#text());
}
};
Wingbeat.readFrame = (buffer) => {
const view = new DataView(buffer);
const exits = view.getUint32(48, true);
const HEAD = 52 + 4 * exits;
const [dimensions, count] = [view.getUint32(4, true), view.getUint32(8, true)];
const wide = (offset) => {
const packed = new Float32Array(buffer, offset, count * dimensions);
if (dimensions === 3) return packed;
const column = new Float32Array(3 * count);
for (let i = 0; i < count; i++) {
column[3 * i] = packed[2 * i];
column[3 * i + 1] = packed[2 * i + 1];
}
return column;
};
const species = new Uint8Array(buffer, HEAD + 4 * count + 8 * count * dimensions);
return {
run: view.getUint32(12, true),
step: view.getFloat64(16, true),
time: view.getFloat64(24, true),
rate: view.getFloat32(32, true),
observed: [36, 40, 44].map((offset) => view.getFloat32(offset, true)),
left: new Uint32Array(buffer, 52, exits),
ids: new Uint32Array(buffer, HEAD, count),
position: wide(HEAD + 4 * count),
velocity: wide(HEAD + 4 * count + 4 * count * dimensions),
species: species.length === count && count > 0 ? species : undefined,
};
};
Wingbeat.workerCode = "\"use strict\";\nconst Wingbeat = {};\nWingbeat.unpacked = (text) => {\nconst digit = (at) => {\nconst code = text.charCodeAt(at);\nreturn code - 33 - (code > 34) - (code > 60) - (code > 92);\n};\nconst pairs = text.length >> 1;\nconst bytes = new Uint8Array((13 * pairs + 6 * (text.length & 1)) >> 3);\nlet [bits, held, next] = [0, 0, 0];\nfor (let at = 0; at \u003c text.length; at += 2) {\nconst isPair = at + 1 \u003c text.length;\nbits |= (digit(at) + (isPair ? 91 * digit(at + 1) : 0)) \u003c\u003c held;\nheld += isPair ? 13 : 6;\nfor (; held >= 8; held -= 8) {\nbytes[next++] = bits;\nbits >>>= 8;\n}\n}\nreturn bytes;\n};\nWingbeat.inflated = (text, format = \"gzip\") =>\nnew Response(\nnew Blob([Wingbeat.unpacked(text)]).stream().pipeThrough(new DecompressionStream(format)),\n).arrayBuffer();\nWingbeat.run = async (text) => {\nconst script = document.createElement(\"script\");\nscript.textContent = new TextDecoder().decode(await Wingbeat.inflated(text));\ndocument.head.append(script);\n};\nWingbeat.Module = class {\n#exports;\n#session;\nstatic async open(bytes) {\nconst { instance } = await WebAssembly.instantiate(bytes, {});\nreturn new this(instance.exports);\n}\nconstructor(exports) {\nthis.#exports = exports;\nthis.#session = exports.wingbeat_open();\n}\nbuild(name, toml, start = null) {\nconst [first, second] = [name, toml].map((text) => new TextEncoder().encode(text));\nconst parts = [first, second, new Uint8Array(start ?? 0)];\nconst bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));\nlet at = 0;\nfor (const part of parts) {\nbytes.set(part, at);\nat += part.length;\n}\nthis.#put(bytes);\nthis.#tried(this.#exports.wingbeat_build(this.#session, first.length, second.length));\n}\nstep(steps = 1) {\nthis.#tried(this.#exports.wingbeat_step(this.#session, steps));\n}\nget stateHash() {\nreturn BigInt.asUintN(64, this.#exports.wingbeat_state_hash(this.#session))\n.toString(16)\n.padStart(16, \"0\");\n}\nrequest(request) {\nthis.#put(new TextEncoder().encode(JSON.stringify(request)));\nthis.#tried(this.#exports.wingbeat_request(this.#session));\nreturn JSON.parse(this.#text());\n}\nstate() {\nthis.#tried(this.#exports.wingbeat_state(this.#session));\nreturn JSON.parse(this.#text());\n}\ntoml() {\nthis.#tried(this.#exports.wingbeat_toml(this.#session));\nreturn this.#text();\n}\nframe(rate = 0, observe = true) {\nthis.#tried(this.#exports.wingbeat_frame(this.#session, rate, Number(observe)));\nreturn this.#taken().buffer;\n}\ncheckpoint() {\nthis.#tried(this.#exports.wingbeat_checkpoint(this.#session));\nreturn this.#taken();\n}\nrestore(bytes) {\nthis.#put(bytes);\nthis.#tried(this.#exports.wingbeat_restore(this.#session));\n}\nworld(world) {\nthis.#put(new TextEncoder().encode(JSON.stringify(world)));\nconst told = this.#exports.wingbeat_world(this.#session);\nif (told === 1) this.#tried(told);\nreturn { 0: \"standing\", 2: \"none\", 3: \"moving\" }[told];\n}\nshapes(time) {\nconst {\nmemory,\nwingbeat_set_time,\nwingbeat_lines,\nwingbeat_line_numbers,\nwingbeat_triangles,\nwingbeat_triangle_numbers,\n} = this.#exports;\nwingbeat_set_time(this.#session, time);\nconst numbers = (at, count) =>\nnew Float32Array(memory.buffer, at(this.#session), count(this.#session)).slice();\nreturn {\nlines: numbers(wingbeat_lines, wingbeat_line_numbers),\ntriangles: numbers(wingbeat_triangles, wingbeat_triangle_numbers),\n};\n}\n#put(bytes) {\nconst at = this.#exports.wingbeat_input(this.#session, bytes.length);\nnew Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);\n}\n#taken() {\nconst { memory, wingbeat_output, wingbeat_output_bytes } = this.#exports;\nreturn new Uint8Array(\nmemory.buffer,\nwingbeat_output(this.#session),\nwingbeat_output_bytes(this.#session),\n).slice();\n}\n#text() {\nreturn new TextDecoder().decode(this.#taken());\n}\n#tried(refused) {\nif (refused) throw new Error(this.#text());\n}\n};\nWingbeat.readFrame = (buffer) => {\nconst view = new DataView(buffer);\nconst exits = view.getUint32(48, true);\nconst HEAD = 52 + 4 * exits;\nconst [dimensions, count] = [view.getUint32(4, true), view.getUint32(8, true)];\nconst wide = (offset) => {\nconst packed = new Float32Array(buffer, offset, count * dimensions);\nif (dimensions === 3) return packed;\nconst column = new Float32Array(3 * count);\nfor (let i = 0; i \u003c count; i++) {\ncolumn[3 * i] = packed[2 * i];\ncolumn[3 * i + 1] = packed[2 * i + 1];\n}\nreturn column;\n};\nconst species = new Uint8Array(buffer, HEAD + 4 * count + 8 * count * dimensions);\nreturn {\nrun: view.getUint32(12, true),\nstep: view.getFloat64(16, true),\ntime: view.getFloat64(24, true),\nrate: view.getFloat32(32, true),\nobserved: [36, 40, 44].map((offset) => view.getFloat32(offset, true)),\nleft: new Uint32Array(buffer, 52, exits),\nids: new Uint32Array(buffer, HEAD, count),\nposition: wide(HEAD + 4 * count),\nvelocity: wide(HEAD + 4 * count + 4 * count * dimensions),\nspecies: species.length === count && count > 0 ? species : undefined,\n};\n};\nWingbeat.work = () => {\nconst SLICE = 30;\nconst MOST_BEHIND = 100;\nconst RATE_WINDOW = 500;\nconst MOST_WARM = 400;\nconst OBSERVING = 20;\nconst KEEP_BYTES = 48e6;\nlet [bytes, scene] = [null, null];\nconst tell = (message, moved = []) => postMessage(message, moved);\nconst turns = new MessageChannel();\nlet [waiting, turning] = [[], false];\nconst turn = () =>\nnew Promise((resolve) => {\nwaiting.push(resolve);\nif (!turning) turns.port2.postMessage(null);\nturning = true;\n});\nturns.port1.onmessage = () => {\nconst all = waiting;\n[waiting, turning] = [[], false];\nall.forEach((resolve) => resolve());\n};\nconst recorded = { module: null, kept: new Map(), keptBytes: 0, stride: 8, step: 0 };\nlet [wanted, firm] = [0, false];\nconst build = () => {\nrecorded.module.build(scene.name, scene.toml, scene.start);\nrecorded.step = 0;\n};\nconst keep = () => {\nconst { kept, module, step } = recorded;\nif (step % recorded.stride !== 0 || kept.has(step)) return;\nconst checkpoint = module.checkpoint();\nkept.set(step, checkpoint);\nrecorded.keptBytes += checkpoint.length;\nif (recorded.keptBytes \u003c= KEEP_BYTES) return;\nrecorded.stride *= 2;\nfor (const [at, { length }] of kept) {\nif (at % recorded.stride === 0) continue;\nkept.delete(at);\nrecorded.keptBytes -= length;\n}\n};\nconst at = async (step, act) => {\nif (firm) throw new Error(\"the engine is on its way to another step\");\nconst own = ++wanted;\nconst goOn = () => {\nif (wanted !== own) throw new Error(\"another step is wanted meanwhile\");\n};\nif (!recorded.module) {\nconst module = await Wingbeat.Module.open(bytes);\ngoOn();\nrecorded.module = module;\nbuild();\n}\nconst kept = [...recorded.kept.keys()]\n.filter((at) => at \u003c= step)\n.reduce((most, at) => Math.max(most, at), 0);\nif (recorded.step > step || kept > recorded.step) {\nbuild();\nif (kept > 0) recorded.module.restore(recorded.kept.get(kept));\nrecorded.step = kept;\n}\nwhile (recorded.step \u003c step) {\nconst end = performance.now() + SLICE;\nwhile (recorded.step \u003c step && performance.now() \u003c end) {\nrecorded.module.step();\nrecorded.step++;\nkeep();\n}\ntell({ event: \"progress\", step: recorded.step, wanted: step });\nawait turn();\ngoOn();\n}\nreturn act(recorded.module);\n};\nconst surelyAt = async (step, act) => {\nconst done = at(step, act);\nfirm = true;\nreturn done.finally(() => (firm = false));\n};\nlet live = null;\nconst publishFrame = () => {\nconst { module, run, step, framed, paused } = live;\nif (!live.frameWanted || (framed && framed.run === run && framed.step === step)) return;\nconst now = performance.now();\nconst observe = paused || step === 0 || now - live.observedAt >= OBSERVING * live.observing;\nconst buffer = module.frame(paused ? 0 : live.perSecond, observe);\nnew DataView(buffer).setUint32(12, run, true);\nif (observe) [live.observedAt, live.observing] = [performance.now(), performance.now() - now];\n[live.framed, live.frameWanted] = [{ run, step }, false];\ntell({ event: \"frame\", buffer }, [buffer]);\n};\nconst adopt = () => {\nconst state = live.module.state();\nstate.run += live.runsBefore;\nconst { paused, speed, dt, run } = state;\nif (run !== live.run) live.step = 0;\nObject.assign(live, { paused, run, interval: (1000 * dt) / speed, due: performance.now() });\n[live.since, live.steps, live.perSecond] = [live.due, 0, 0];\ntell({ event: \"state\", state });\n};\nconst stepOnce = () => {\nlive.module.step();\nlive.step++;\nlive.steps++;\nconst elapsed = performance.now() - live.since;\nif (elapsed >= RATE_WINDOW)\n[live.perSecond, live.since, live.steps] = [\n(1000 * live.steps) / elapsed,\nperformance.now(),\n0,\n];\n};\nconst fly = async () => {\nconst own = live;\nwhile (live === own) {\npublishFrame();\nconst now = performance.now();\nif (!live.paused && now >= live.due) {\nstepOnce();\nlive.due += live.interval;\nif (performance.now() > live.due + MOST_BEHIND) live.due = performance.now();\n}\nconst left = live.paused ? Infinity : live.due - performance.now();\nif (left \u003c 4) await turn();\nelse\nawait new Promise(\n(resolve) => ((live.wake = resolve), left \u003c Infinity && setTimeout(resolve, left)),\n);\n}\n};\nconst warm = (module, end, most) => {\nconst isCrowd = module.state().noun === \"people\";\nlet made = 0;\nfor (; !isCrowd && made \u003c most && performance.now() \u003c end; made++) module.step();\nreturn made;\n};\nconst start = async (module, step, runsBefore = 0) => {\nlive = {\nmodule,\nrunsBefore,\nrun: runsBefore,\nstep,\nframed: null,\nframeWanted: true,\nobservedAt: -1e9,\nobserving: 0,\nperSecond: 0,\n};\nadopt();\nfly();\n};\nconst acts = {\nopen(message) {\nbytes = message.bytes;\nscene = message.scene;\n},\nasync explain({ step, boid }) {\nconst { page, error } = await at(step, (module) =>\nmodule.request({ do: \"explain\", id: 0, boid }),\n);\nif (error) throw new Error(error);\nreturn page;\n},\nhash: ({ step }) => surelyAt(step, (module) => module.stateHash),\nasync takeOff({ step = null, within = 0, most = 0, play = true }) {\nconst module = await Wingbeat.Module.open(bytes);\nconst end = performance.now() + within;\nif (step !== null) {\nconst checkpoint = await surelyAt(step, (module) => module.checkpoint());\nmodule.build(scene.name, scene.toml, scene.start);\nmodule.restore(checkpoint);\n} else {\nmodule.build(scene.name, scene.toml, scene.start);\n}\nconst made = step ?? warm(module, end, most);\nif (play) module.request({ do: \"play\", id: 0 });\nawait start(module, made);\n},\nasync load({ name, toml, within }) {\nconst module = await Wingbeat.Module.open(bytes);\ntry {\nmodule.build(name, toml);\n} catch (error) {\nif (!scene.start) throw error;\nmodule.build(name, toml, scene.start);\n}\nscene = { ...scene, name, toml };\nrecorded.kept.clear();\nObject.assign(recorded, { module: null, keptBytes: 0 });\nconst made = warm(module, performance.now() + within, MOST_WARM);\nconst { wake, run = -1, paused = false } = live ?? {};\nconst speed = live?.module.state().speed;\nif (speed) module.request({ do: \"speed\", id: 0, factor: speed });\nif (!paused) module.request({ do: \"play\", id: 0 });\nstart(module, made, run + 1);\nwake?.();\n},\nland() {\nconst { wake } = live ?? {};\nlive = null;\nwake?.();\n},\nnext() {\nif (live) live.frameWanted = true;\n},\nrequest({ request }) {\nif (!live) throw new Error(\"the flock does not fly\");\nconst answer = live.module.request(request);\nif (request.do !== \"explain\") {\nif (request.do === \"step\") live.step++;\nadopt();\n}\nreturn answer;\n},\nasync time({ warm, steps }) {\nconst module = await Wingbeat.Module.open(bytes);\nmodule.build(scene.name, scene.toml, scene.start);\nmodule.step(warm);\nconst start = performance.now();\nmodule.step(steps);\nreturn (performance.now() - start) / steps;\n},\nwhere: () => ({\nstep: live.step, boids: live.module.state().boids, hash: live.module.stateHash,\n}),\ntoml: () => live.module.toml(),\nliveHash: () => live.module.stateHash,\n};\nonmessage = async ({ data }) => {\ntry {\nconst value = await acts[data.act](data);\nlive?.wake?.();\nif (data.number) tell({ number: data.number, value });\n} catch (error) {\ntell({ number: data.number, error: error.message });\n}\n};\n};\nWingbeat.work();\n";
Wingbeat.pictures = {"falloff":"data:image/svg+xml,%3Csvg width=%22960%22 height=%22600%22 viewBox=%220 0 1920 1200%22 xmlns=%22http://www.w3.org/2000/svg%22%3E\n%3Crect x=%220%22 y=%220%22 width=%221920%22 height=%221200%22 opacity=%221%22 fill=%22%23FFFFFF%22 stroke=%22none%22/%3E\n%3Ctext x=%2240%22 y=%2232%22 dy=%220.76em%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2240.32258064516129%22 opacity=%221%22 fill=%22%2322262B%22%3E\nseparation: push of one neighbor\n%3C/text%3E\n%3Ctext x=%2240%22 y=%2296%22 dy=%220.76em%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2225.806451612903228%22 opacity=%221%22 fill=%22%236E6E6E%22%3E\nradius 1, weight 1, response raw; inverse_square grows on toward contact\n%3C/text%3E\n%3Ctext x=%2240%22 y=%22602%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2229.032258064516128%22 opacity=%221%22 fill=%22%2322262B%22 transform=%22rotate(270, 40, 602)%22%3E\npush f(d)·d\n%3C/text%3E\n%3Ctext x=%22857%22 y=%221160%22 dy=%22-0.5ex%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2229.032258064516128%22 opacity=%221%22 fill=%22%2322262B%22%3E\ndistance / radius\n%3C/text%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22203%22 y1=%221051%22 x2=%22203%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22463%22 y1=%221051%22 x2=%22463%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22723%22 y1=%221051%22 x2=%22723%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22983%22 y1=%221051%22 x2=%22983%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%221243%22 y1=%221051%22 x2=%221243%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%221503%22 y1=%221051%22 x2=%221503%22 y2=%22152%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%221051%22 x2=%221542%22 y2=%221051%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%22880%22 x2=%221542%22 y2=%22880%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%22709%22 x2=%221542%22 y2=%22709%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%22537%22 x2=%221542%22 y2=%22537%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%22366%22 x2=%221542%22 y2=%22366%22/%3E\n%3Cline opacity=%220.25%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 x1=%22171%22 y1=%22195%22 x2=%221542%22 y2=%22195%22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22170,152 170,1051 %22/%3E\n%3Ctext x=%22151%22 y=%221051%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.0\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,1051 170,1051 %22/%3E\n%3Ctext x=%22151%22 y=%22880%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.5\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,880 170,880 %22/%3E\n%3Ctext x=%22151%22 y=%22709%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n1.0\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,709 170,709 %22/%3E\n%3Ctext x=%22151%22 y=%22537%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n1.5\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,537 170,537 %22/%3E\n%3Ctext x=%22151%22 y=%22366%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n2.0\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,366 170,366 %22/%3E\n%3Ctext x=%22151%22 y=%22195%22 dy=%220.5ex%22 text-anchor=%22end%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n2.5\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22160,195 170,195 %22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22171,1052 1542,1052 %22/%3E\n%3Ctext x=%22203%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.0\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22203,1052 203,1062 %22/%3E\n%3Ctext x=%22463%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.2\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22463,1052 463,1062 %22/%3E\n%3Ctext x=%22723%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.4\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22723,1052 723,1062 %22/%3E\n%3Ctext x=%22983%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.6\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%22983,1052 983,1062 %22/%3E\n%3Ctext x=%221243%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n0.8\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%221243,1052 1243,1062 %22/%3E\n%3Ctext x=%221503%22 y=%221072%22 dy=%220.76em%22 text-anchor=%22middle%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\n1.0\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%236E6E6E%22 stroke-width=%222%22 points=%221503,1052 1503,1062 %22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%230072B2%22 stroke-width=%224%22 points=%22210,710 216,712 223,714 229,715 236,717 242,719 249,721 255,722 262,724 268,726 275,727 281,729 288,731 294,732 301,734 307,736 314,738 320,739 327,741 333,743 340,744 346,746 353,748 359,750 366,751 372,753 379,755 385,756 392,758 398,760 405,762 411,763 418,765 424,767 431,768 437,770 444,772 450,774 457,775 463,777 470,779 476,780 483,782 489,784 496,786 502,787 509,789 515,791 522,792 528,794 535,796 541,798 548,799 554,801 561,803 567,804 574,806 580,808 587,810 593,811 600,813 606,815 613,816 619,818 626,820 632,822 639,823 645,825 652,827 658,828 665,830 671,832 678,834 684,835 691,837 697,839 704,840 710,842 717,844 723,846 730,847 736,849 743,851 749,852 756,854 762,856 769,858 775,859 782,861 788,863 795,864 801,866 808,868 814,869 821,871 827,873 834,875 840,876 847,878 853,880 860,881 866,883 873,885 879,887 886,888 892,890 899,892 905,893 912,895 918,897 925,899 931,900 938,902 944,904 951,905 957,907 964,909 970,911 977,912 983,914 990,916 996,917 1003,919 1009,921 1016,923 1022,924 1029,926 1035,928 1042,929 1048,931 1055,933 1061,935 1068,936 1074,938 1081,940 1087,941 1094,943 1100,945 1107,947 1113,948 1120,950 1126,952 1133,953 1139,955 1146,957 1152,959 1159,960 1165,962 1172,964 1178,965 1185,967 1191,969 1198,971 1204,972 1211,974 1217,976 1224,977 1230,979 1237,981 1243,983 1250,984 1256,986 1263,988 1269,989 1276,991 1282,993 1289,994 1295,996 1302,998 1308,1000 1315,1001 1321,1003 1328,1005 1334,1006 1341,1008 1347,1010 1354,1012 1360,1013 1367,1015 1373,1017 1380,1018 1386,1020 1393,1022 1399,1024 1406,1025 1412,1027 1419,1029 1425,1030 1432,1032 1438,1034 1445,1036 1451,1037 1458,1039 1464,1041 1471,1042 1477,1044 1484,1046 1490,1048 1497,1049 1503,1051 %22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23D55E00%22 stroke-width=%224%22 points=%22210,1049 216,1048 223,1046 229,1044 236,1043 242,1041 249,1039 255,1038 262,1036 268,1035 275,1033 281,1032 288,1030 294,1029 301,1027 307,1026 314,1024 320,1023 327,1022 333,1020 340,1019 346,1017 353,1016 359,1015 366,1014 372,1012 379,1011 385,1010 392,1009 398,1007 405,1006 411,1005 418,1004 424,1003 431,1002 437,1000 444,999 450,998 457,997 463,996 470,995 476,994 483,993 489,992 496,991 502,990 509,989 515,989 522,988 528,987 535,986 541,985 548,984 554,983 561,983 567,982 574,981 580,980 587,980 593,979 600,978 606,978 613,977 619,976 626,976 632,975 639,975 645,974 652,974 658,973 665,973 671,972 678,972 684,971 691,971 697,970 704,970 710,970 717,969 723,969 730,968 736,968 743,968 749,968 756,967 762,967 769,967 775,967 782,966 788,966 795,966 801,966 808,966 814,966 821,966 827,966 834,965 840,965 847,965 853,965 860,965 866,965 873,965 879,966 886,966 892,966 899,966 905,966 912,966 918,966 925,966 931,967 938,967 944,967 951,967 957,968 964,968 970,968 977,968 983,969 990,969 996,970 1003,970 1009,970 1016,971 1022,971 1029,972 1035,972 1042,973 1048,973 1055,974 1061,974 1068,975 1074,975 1081,976 1087,976 1094,977 1100,978 1107,978 1113,979 1120,980 1126,980 1133,981 1139,982 1146,983 1152,983 1159,984 1165,985 1172,986 1178,987 1185,988 1191,989 1198,989 1204,990 1211,991 1217,992 1224,993 1230,994 1237,995 1243,996 1250,997 1256,998 1263,999 1269,1000 1276,1002 1282,1003 1289,1004 1295,1005 1302,1006 1308,1007 1315,1009 1321,1010 1328,1011 1334,1012 1341,1014 1347,1015 1354,1016 1360,1017 1367,1019 1373,1020 1380,1022 1386,1023 1393,1024 1399,1026 1406,1027 1412,1029 1419,1030 1425,1032 1432,1033 1438,1035 1445,1036 1451,1038 1458,1039 1464,1041 1471,1043 1477,1044 1484,1046 1490,1048 1497,1049 1503,1051 %22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23009E73%22 stroke-width=%224%22 points=%22210,709 216,709 223,709 229,709 236,709 242,709 249,709 255,709 262,709 268,709 275,709 281,709 288,709 294,709 301,709 307,709 314,709 320,709 327,709 333,709 340,709 346,709 353,709 359,709 366,709 372,709 379,709 385,709 392,709 398,709 405,709 411,709 418,709 424,709 431,709 437,709 444,709 450,709 457,709 463,709 470,709 476,709 483,709 489,709 496,709 502,709 509,709 515,709 522,709 528,709 535,709 541,709 548,709 554,709 561,709 567,709 574,709 580,709 587,709 593,709 600,709 606,709 613,709 619,709 626,709 632,709 639,709 645,709 652,709 658,709 665,709 671,709 678,709 684,709 691,709 697,709 704,709 710,709 717,709 723,709 730,709 736,709 743,709 749,709 756,709 762,709 769,709 775,709 782,709 788,709 795,709 801,709 808,709 814,709 821,709 827,709 834,709 840,709 847,709 853,709 860,709 866,709 873,709 879,709 886,709 892,709 899,709 905,709 912,709 918,709 925,709 931,709 938,709 944,709 951,709 957,709 964,709 970,709 977,709 983,709 990,709 996,709 1003,709 1009,709 1016,709 1022,709 1029,709 1035,709 1042,709 1048,709 1055,709 1061,709 1068,709 1074,709 1081,709 1087,709 1094,709 1100,709 1107,709 1113,709 1120,709 1126,709 1133,709 1139,709 1146,709 1152,709 1159,709 1165,709 1172,709 1178,709 1185,709 1191,709 1198,709 1204,709 1211,709 1217,709 1224,709 1230,709 1237,709 1243,709 1250,709 1256,709 1263,709 1269,709 1276,709 1282,709 1289,709 1295,709 1302,709 1308,709 1315,709 1321,709 1328,709 1334,709 1341,709 1347,709 1354,709 1360,709 1367,709 1373,709 1380,709 1386,709 1393,709 1399,709 1406,709 1412,709 1419,709 1425,709 1432,709 1438,709 1445,709 1451,709 1458,709 1464,709 1471,709 1477,709 1484,709 1490,709 1497,709 1503,709 %22/%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23CC79A7%22 stroke-width=%224%22 points=%22723,195 730,205 736,216 743,226 749,236 756,245 762,255 769,264 775,273 782,281 788,290 795,298 801,306 808,314 814,322 821,330 827,338 834,345 840,352 847,359 853,366 860,373 866,379 873,386 879,392 886,399 892,405 899,411 905,417 912,423 918,428 925,434 931,439 938,445 944,450 951,455 957,461 964,466 970,471 977,475 983,480 990,485 996,490 1003,494 1009,499 1016,503 1022,507 1029,512 1035,516 1042,520 1048,524 1055,528 1061,532 1068,536 1074,540 1081,544 1087,547 1094,551 1100,555 1107,558 1113,562 1120,565 1126,569 1133,572 1139,575 1146,579 1152,582 1159,585 1165,588 1172,591 1178,594 1185,597 1191,600 1198,603 1204,606 1211,609 1217,612 1224,615 1230,617 1237,620 1243,623 1250,626 1256,628 1263,631 1269,633 1276,636 1282,638 1289,641 1295,643 1302,646 1308,648 1315,650 1321,653 1328,655 1334,657 1341,660 1347,662 1354,664 1360,666 1367,668 1373,670 1380,673 1386,675 1393,677 1399,679 1406,681 1412,683 1419,685 1425,687 1432,689 1438,690 1445,692 1451,694 1458,696 1464,698 1471,700 1477,702 1484,703 1490,705 1497,707 1503,709 %22/%3E\n%3Ctext x=%221583%22 y=%22156%22 dy=%220.76em%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%236E6E6E%22%3E\nfalloff\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%230072B2%22 stroke-width=%224%22 points=%221583,228 1651,228 %22/%3E\n%3Ctext x=%221671%22 y=%22228%22 dy=%220.5ex%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\nlinear\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23D55E00%22 stroke-width=%224%22 points=%221583,280 1651,280 %22/%3E\n%3Ctext x=%221671%22 y=%22280%22 dy=%220.5ex%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\nsoft\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23009E73%22 stroke-width=%224%22 points=%221583,332 1651,332 %22/%3E\n%3Ctext x=%221671%22 y=%22332%22 dy=%220.5ex%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\ninverse\n%3C/text%3E\n%3Cpolyline fill=%22none%22 opacity=%221%22 stroke=%22%23CC79A7%22 stroke-width=%224%22 points=%221583,384 1651,384 %22/%3E\n%3Ctext x=%221671%22 y=%22384%22 dy=%220.5ex%22 text-anchor=%22start%22 font-family=%22Helvetica, Arial, DejaVu Sans, sans-serif%22 font-size=%2227.419354838709676%22 opacity=%221%22 fill=%22%2322262B%22%3E\ninverse_square\n%3C/text%3E\n%3C/svg%3E\n"};
Wingbeat.rules = [{"hue":0.42,"name":"separation"},{"hue":4.4,"name":"alignment"},{"hue":2.75,"name":"cohesion"},{"hue":3.7,"name":"formation"}];
Wingbeat.vec = {
add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
scale: (a, k) => [a[0] * k, a[1] * k, a[2] * k],
dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
cross: (a, b) => [
a[1] * b[2] - a[2] * b[1],
a[2] * b[0] - a[0] * b[2],
a[0] * b[1] - a[1] * b[0],
],
norm: (a) => Math.hypot(a[0], a[1], a[2]),
unit(a) {
const size = Math.hypot(a[0], a[1], a[2]);
return size > 0 ? [a[0] / size, a[1] / size, a[2] / size] : [0, 0, 0];
},
frame(a) {
const other = Math.abs(a[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
const left = this.unit(this.cross(other, a));
return [left, this.cross(a, left)];
},
};
Wingbeat.mat = {
perspective(fov, aspect, near, far) {
const f = 1 / Math.tan(fov / 2);
const depth = 1 / (near - far);
return [
f / aspect, 0, 0, 0,
0, f, 0, 0,
0, 0, (far + near) * depth, -1,
0, 0, 2 * far * near * depth, 0,
];
},
ortho(halfWidth, halfHeight, near, far) {
const depth = 1 / (near - far);
return [
1 / halfWidth, 0, 0, 0,
0, 1 / halfHeight, 0, 0,
0, 0, 2 * depth, 0,
0, 0, (far + near) * depth, 1,
];
},
look(eye, right, up, back) {
const { dot } = Wingbeat.vec;
return [
right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
-dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
];
},
times(a, b) {
const out = new Array(16);
for (let column = 0; column < 4; column++) {
for (let row = 0; row < 4; row++) {
let sum = 0;
for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
out[column * 4 + row] = sum;
}
}
return out;
},
project(m, p) {
const row = (r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
return [row(0), row(1), row(2), row(3)];
},
};
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
Wingbeat.matchIds = (from, to) => {
const match = new Int32Array(from.length);
let j = 0;
for (let i = 0; i < from.length; i++) {
while (j < to.length && to[j] < from[i]) j++;
match[i] = j < to.length && to[j] === from[i] ? j : -1;
}
return match;
};
Wingbeat.engine = (page, scene) => {
if (typeof packedEngine === "undefined" || !scene?.toml || !window.Worker || !window.WebAssembly) return null;
const bytes = Wingbeat.inflated(packedEngine);
const waiting = new Map();
let [last, on, worker] = [0, null, null];
const start = page.getElementById("start");
const begin = async () => {
const address = URL.createObjectURL(new Blob([Wingbeat.workerCode], { type: "text/javascript" }));
worker = new Worker(address);
worker.onmessage = ({ data }) => {
if (data.event === "frame") return on?.frame(Wingbeat.readFrame(data.buffer));
if (data.event === "state") return on?.state(data.state);
if (data.event === "progress") return engine.onprogress(data);
const { resolve, reject } = waiting.get(data.number) ?? {};
waiting.delete(data.number);
if (data.error !== undefined) reject?.(new Error(data.error));
else resolve?.(data.value);
};
worker.onerror = (event) => {
event.preventDefault();
waiting.forEach(({ reject }) => reject(new Error(`the engine cannot work here: ${event.message ?? "no worker"}`)));
waiting.clear();
};
const { name, toml } = scene;
const frame = start && (await Wingbeat.inflated(start.textContent));
worker.postMessage({ act: "open", number: 0, bytes: await bytes, scene: { name, toml, start: frame } });
};
let begun = null;
const ask = async (act, message = {}) => {
await (begun ??= begin());
const number = ++last;
return new Promise((resolve, reject) => {
waiting.set(number, { resolve, reject });
worker.postMessage({ ...message, act, number });
});
};
const engine = {
scene,
onprogress() {},
explain: (step, boid) => ask("explain", { step, boid }),
hash: (step) => ask("hash", { step }),
liveHash: () => ask("liveHash"),
time: (warm, steps) => ask("time", { warm, steps }),
request: (request) => ask("request", { request: { ...request, id: 0 } }),
takeOff: (from) => ask("takeOff", from),
load: (scene) => ask("load", scene),
where: () => ask("where"),
toml: () => ask("toml"),
land() {
on = null;
return ask("land");
},
connect(listener) {
on = listener;
return {
open: true,
async ask(request) {
const answer = await engine.request(request);
if (answer.error !== null) throw new Error(answer.error);
return answer;
},
toml: engine.toml,
next: () => worker.postMessage({ act: "next" }),
};
},
async world(world) {
const module = await Wingbeat.Module.open(await bytes);
const kind = module.world(world);
if (kind === "none") return null;
let [shapes, at] = [module.shapes(0), 0];
return (time) => {
if (kind === "moving" && time !== at) [shapes, at] = [module.shapes(time), time];
return shapes;
};
},
};
return engine;
};
Wingbeat.near = (frame, id, source, note) => {
const NEAREST = 7;
const self = Wingbeat.find(frame.ids, id);
if (self < 0) return null;
const axes = [...Array(source.dimensions).keys()];
const vector = (column, i) => axes.map((a) => column[3 * i + a]);
const norm = (a) => Math.hypot(...a);
const position = vector(frame.position, self);
const known = !Number.isNaN(frame.velocity[3 * self]);
const velocity = known ? vector(frame.velocity, self) : null;
const sides = source.periodic ? axes.map((a) => source.box.max[a] - source.box.min[a]) : null;
const offsetTo = (j) => {
const offset = axes.map((a) => frame.position[3 * j + a] - position[a]);
return sides ? offset.map((x, a) => x - sides[a] * Math.round(x / sides[a])) : offset;
};
const angle = (offset) => {
const [size, speed] = [norm(offset), known ? norm(velocity) : 0];
if (size === 0 || speed === 0) return null;
const cos = offset.reduce((sum, x, a) => sum + x * velocity[a], 0) / (size * speed);
return (Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI;
};
const found = [];
for (let j = 0; j < frame.ids.length; j++) {
if (j === self) continue;
const offset = offsetTo(j);
const distance = norm(offset);
if (found.length === NEAREST && distance >= found[NEAREST - 1].distance) continue;
const moves = vector(frame.velocity, j);
const seen = {
id: frame.ids[j],
offset,
distance,
angle: angle(offset),
velocity: moves,
coincident: distance === 0,
only_near: false,
adds: null,
};
found.splice(found.findIndex((one) => one.distance > distance) >>> 0, 0, seen);
if (found.length > NEAREST) found.pop();
}
const sees = {
radius: null,
cos_half_view: null,
near_radius: 0,
nearest: NEAREST,
out_of_sight: 0,
beyond_cap: 0,
neighbors: found,
};
return {
scene: source.title, boid: id, step: frame.step, time: frame.time, position,
origin: source.scene?.origin, velocity, note,
decision: { kind: "nearest", sees }, steering: null, advance: null,
};
};
Wingbeat.replaySource = (page) => {
const KEEP_BYTES = 256e6;
const PATIENCE = 150;
const index = JSON.parse(page.getElementById("recording").textContent);
const { dimensions, levels, times, steps } = index;
const starts = [0];
for (const count of index.groups) starts.push(starts[starts.length - 1] + count);
const groups = new Map(); // number -> { frames, bytes, used } or { loading: true }
let uses = 0;
let failure = null;
const groupOf = (i) => {
let g = 0;
while (starts[g + 1] <= i) g++;
return g;
};
const inflate = async (g) => {
const text = page.getElementById(`group-${g}`).textContent;
return new Uint8Array(await Wingbeat.inflated(text, "deflate"));
};
const load = async (g) => {
if (g >= index.groups.length || groups.has(g)) return;
groups.set(g, { loading: true });
try {
const frames = await Wingbeat.decodeGroup(await inflate(g), index, starts[g]);
let before = null;
for (const frame of frames) {
frame.species = before?.ids === frame.ids ? before.species : speciesOf(frame.ids);
before = frame;
}
const bytes = frames.reduce((sum, frame) => sum + frame.ids.length * 28, 0);
groups.set(g, { frames, bytes, used: ++uses });
forget();
for (let i = starts[g]; i < starts[g + 1]; i++) source.onframe(i);
} catch (error) {
failure = `The recording in this page cannot be read: ${error.message}`;
source.onframe(starts[g]);
}
};
const speciesOf = (ids) => {
const { names, runs } = index.species;
if (names.length === 0) return undefined;
const species = new Uint8Array(ids.length);
for (let i = 0, k = 0; i < ids.length; i++) {
while (ids[i] >= runs[k][0] + runs[k][1]) k++;
species[i] = runs[k][2];
}
return species;
};
const forget = () => {
const whole = [...groups]
.filter(([, group]) => group.frames)
.sort((a, b) => a[1].used - b[1].used);
let bytes = whole.reduce((sum, [, group]) => sum + group.bytes, 0);
while (bytes > KEEP_BYTES && whole.length > 3) {
const [g, group] = whole.shift();
groups.delete(g);
bytes -= group.bytes;
}
};
const { scene } = index;
const wide = (corner) => [corner[0], corner[1], corner[2] ?? 0];
const { domain } = scene;
const box = domain.min && { min: wide(domain.min), max: wide(domain.max) };
const source = {
title: scene.name.split(/[\\/]/).pop() || "A recording",
about: scene.about,
noun: scene.noun,
live: false,
dimensions,
bounds: box ?? { min: wide(index.bounds.min), max: wide(index.bounds.max) },
box,
periodic: domain.kind === "periodic",
speeds: index.speeds,
boids: index.boids,
scene,
species: index.species.names.length > 0 ? index.species.names : null,
radii: scene.radii,
unit: index.unit,
timeUnit: index.time_unit,
places: scene.places,
notes: index.notes,
observables: index.observables,
latest: times.length - 1,
frames: () => times.length,
time: (i) => times[i],
step: (i) => steps[i],
error: () => failure,
onframe() {},
frame(i) {
if (!(i >= 0 && i < times.length)) return null;
const g = groupOf(i);
const group = groups.get(g);
if (group?.frames) {
group.used = ++uses;
if (i >= starts[g] + index.groups[g] / 3) load((g + 1) % index.groups.length);
return group.frames[i - starts[g]];
}
load(g);
return null;
},
obstacles: () => null,
explainedBy: null,
onexplained() {},
async explain(id, i) {
const frame = source.frame(i);
if (!frame || Wingbeat.find(frame.ids, id) < 0) return null;
const near = (note) => ({
...Wingbeat.near(
frame,
id,
source,
`${note} Shown are the nearest, whether or not it looks at them.`,
),
command: commandFor(frame, id),
});
if (!scene.toml) return near(scene.unexplained ?? "The file holds no rules.");
if (!source.explainedBy) return near("This browser cannot run the engine of this page.");
const exact = source.explainedBy.explain(frame.step, id).then(
(told) =>
isThatBoid(told, frame)
? { ...told, time: frame.time, command: commandFor(frame, id) }
: near(
"The engine in this page does not come to this frame: " +
"the recording was made otherwise.",
),
(error) => near(`The engine says: ${error.message}.`),
);
const soon = await Promise.race([
exact,
new Promise((resolve) => setTimeout(resolve, PATIENCE)),
]);
if (soon) return soon;
exact.then(() => source.onexplained());
return near("The engine is on its way to this step.");
},
};
const commandFor = (frame, id) =>
scene.explain && `${scene.explain.command} --boid ${id} --step ${frame.step}`;
const isThatBoid = (told, frame) => {
const at = 3 * Wingbeat.find(frame.ids, told.boid);
return told.position.every((x, a) => {
let away = Math.abs(x - frame.position[at + a]);
if (source.periodic) away = Math.min(away, Math.abs(box.max[a] - box.min[a] - away));
return away <= 1.01 * levels.position_error + 1e-6 * Math.abs(x);
});
};
return source;
};
Wingbeat.decodeGroup = async (bytes, { dimensions, levels, times, steps }, first) => {
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const frames = [];
let before = { ids: new Uint32Array(0), velocities: [], positions: [] };
let at = 0;
const take = (length) => bytes.subarray(at, (at += length));
while (at < bytes.length) {
const count = view.getUint32(at, true);
const idsFollow = view.getUint32(at + 4, true) & 1;
at += 8;
const drifts = [];
for (let a = 0; a < dimensions; a++, at += 8) drifts.push(view.getFloat64(at, true));
const ids = idsFollow ? readIds(take(4 * count), count) : before.ids;
const from = idsFollow ? Wingbeat.matchIds(ids, before.ids) : null;
const velocities = drifts.map((_, a) => {
const was = before.velocities[a];
return readColumn(take(2 * count), count, 65535, (i) => {
const j = from ? from[i] : i;
return j < 0 ? 32768 : was[j];
});
});
const positions = drifts.map((drift, a) => {
const [was, wasMoving, moving] = [before.positions[a], before.velocities[a], velocities[a]];
return readColumn(take(2 * count), count, levels.mask, (i) => {
const j = from ? from[i] : i;
if (j < 0) return 0;
const [v, w] = [wasMoving[j], moving[i]];
return was[j] + (v === 0 || w === 0 ? 0 : Math.floor((v + w - 65536) * drift + 0.5));
});
});
before = { ids, velocities, positions };
const k = first + frames.length;
frames.push({ time: times[k], step: steps[k], ids, ...unpack(before, dimensions, levels) });
if (count > 5000) await new Promise((resolve) => setTimeout(resolve));
}
return frames;
function readIds(planes, length) {
const read = new Uint32Array(length);
for (let i = 0, id = 0; i < length; i++) {
const more =
planes[i] |
(planes[length + i] << 8) |
(planes[2 * length + i] << 16) |
(planes[3 * length + i] << 24);
id = (id + more) >>> 0;
read[i] = id;
}
return read;
}
function readColumn(planes, length, mask, expected) {
const column = new Uint16Array(length);
for (let i = 0; i < length; i++) {
const zigzag = planes[i] | (planes[length + i] << 8);
column[i] = (expected(i) + ((zigzag >>> 1) ^ -(zigzag & 1))) & mask;
}
return column;
}
function unpack({ ids: { length }, velocities, positions }) {
const position = new Float32Array(3 * length);
const velocity = new Float32Array(3 * length);
for (let a = 0; a < dimensions; a++) {
const [min, step] = [levels.min[a], levels.step[a]];
const [p, v] = [positions[a], velocities[a]];
for (let i = 0, to = a; i < length; i++, to += 3) {
position[to] = min + (p[i] + levels.half) * step;
velocity[to] = v[i] === 0 ? NaN : (v[i] - 32768) * levels.velocity_step;
}
}
return { position, velocity };
}
};
Wingbeat.live = (connection, state, first, settings = {}) => {
const MOST_FRAMES = 40;
const MOST_BYTES = 64e6;
const MOST_CHARTED = 2400;
const frames = new Map();
const { dimensions } = state;
const wide = (corner) => [corner[0], corner[1], corner[2] ?? 0];
const box = state.bounds && { min: wide(state.bounds[0]), max: wide(state.bounds[1]) };
let [run, failure, explanation, pending] = [first.run, null, null, null];
let wasOver = false;
const extent = (frame) => {
const [min, max, sum] = [
[Infinity, Infinity, Infinity],
[-Infinity, -Infinity, -Infinity],
[0, 0, 0],
];
for (let i = 0; i < frame.position.length; i++) {
const x = frame.position[i];
const a = i % 3;
if (x < min[a]) min[a] = x;
if (x > max[a]) max[a] = x;
sum[a] += x;
}
const n = Math.max(1, frame.ids.length);
return frame.ids.length === 0
? { min: [0, 0, 0], max: [1, 1, 1], middle: [0, 0, 0] }
: { min, max, middle: sum.map((x) => x / n) };
};
const speedsOf = ({ velocity, ids }) => {
const stride = Math.max(1, Math.floor(ids.length / 500));
const speeds = [];
for (let i = 0; i < ids.length; i += stride)
speeds.push(Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]));
speeds.sort((a, b) => a - b);
const at = (share) => speeds[Math.floor(share * (speeds.length - 1))] ?? 0;
return [at(0.02), at(0.98) + 1e-9];
};
const start = extent(first);
const marginOf = (low, high) =>
low.map((x, a) => (high[a] - x) * 0.25 + (a < dimensions ? 1e-3 : 0));
const margin = marginOf(start.min, start.max);
const bounds = box ?? {
min: start.min.map((x, a) => x - margin[a]),
max: start.max.map((x, a) => x + margin[a]),
};
let middle = start.middle;
const exits = state.places.filter(({ kind }) => kind === "exit").map(({ name }) => name);
const hasSources = state.places.some(({ kind }) => kind === "source");
const byExit = settings.goBack ? 0 : exits.length;
const sum = (counts) => counts.reduce((sum, one) => sum + one, 0);
const counts = [
["remaining", ({ ids }) => ids.length],
...(byExit > 0 ? [["left", ({ left }) => sum(left)]] : []),
...(byExit > 1
? exits.map((name, k) => [`by ${name.replaceAll("_", " ")}`, ({ left }) => left[k]])
: []),
];
const names =
exits.length > 0
? [...counts.map(([name]) => name), "mean_speed"]
: ["polarization", "milling", "mean_speed"];
const observables = () => ({
time: [],
names,
values: names.map(() => []),
counts: exits.length > 0 ? counts.length : 0,
});
const observed = (frame) =>
exits.length > 0
? [...counts.map(([, of]) => of(frame)), frame.observed[2]]
: frame.observed;
const chart = (frame) => {
const { time, values } = source.observables;
time.push(frame.time);
observed(frame).forEach((value, k) => values[k].push(value));
if (time.length <= MOST_CHARTED) return;
for (const column of [time, ...values]) {
if (exits.length === 0) column.splice(0, MOST_CHARTED / 4);
else column.splice(0, Infinity, ...column.filter((_, k) => k % 2 === 0));
}
};
const source = {
title: state.lesson.title || state.scene.split(/[\\/]/).pop(),
lesson: state.lesson,
noun: state.noun,
invites: true,
about: state.about,
live: true,
dimensions,
bounds,
box,
periodic: state.periodic,
speeds: speedsOf(first),
boids: first.ids.length,
scene: { name: state.scene, origin: [] },
species: state.species.length > 0 ? state.species : null,
radii: state.radii,
unit: state.unit,
timeUnit: state.unit && "s",
places: state.places,
latest: -1,
observables: observables(),
rate: 0,
still: state.paused,
goBack: settings.goBack,
obstacles: () => null,
frames: () => null,
time: (i) => frames.get(i)?.time,
step: (i) => frames.get(i)?.step,
frame: (i) => frames.get(i) ?? null,
onframe() {},
error: () => failure,
play: () => connection.ask({ do: "play" }).catch(() => {}),
pause: () => connection.ask({ do: "pause" }).catch(() => {}),
advance: () => connection.ask({ do: "step" }).catch(() => {}),
reset: () => connection.ask({ do: "reset" }),
take(frame) {
if (frame.run !== run) {
run = frame.run;
frames.clear();
source.latest++;
source.observables = observables();
explanation = null;
}
source.latest++;
[source.rate, source.boids] = [frame.rate, frame.ids.length];
frames.set(source.latest, frame);
const most = Math.max(
2,
Math.min(MOST_FRAMES, Math.floor(MOST_BYTES / (28 * Math.max(1, frame.ids.length)))),
);
for (const i of frames.keys()) if (i <= source.latest - most) frames.delete(i);
chart(frame);
const fresh = speedsOf(frame);
source.speeds = source.speeds.map((x, k) => x + 0.05 * (fresh[k] - x));
source.onframe(source.latest);
const isOver = frame.ids.length === 0 && exits.length > 0 && !hasSources;
if (isOver && !wasOver) source.pause();
wasOver = isOver;
},
drift() {
const frame = frames.get(source.latest);
if (box || !frame) return null;
const now = extent(frame).middle;
const by = now.map((x, a) => x - middle[a]);
middle = now;
for (const corner of [bounds.min, bounds.max])
corner.forEach((x, a) => (corner[a] = x + by[a]));
return by;
},
async explain(id) {
const ask = () =>
connection.ask({ do: "explain", boid: id }).then(
({ page }) => page,
() => null,
);
if (source.still) {
explanation = { id, page: await ask() };
return explanation.page;
}
if (pending?.id !== id) {
const request = { id };
pending = request;
request.answer = ask();
request.answer.then((page) => {
if (pending !== request) return;
pending = null;
explanation = { id, page };
});
}
return explanation?.id === id ? explanation.page : pending ? pending.answer : null;
},
end() {
failure = "The view has ended. Start it again, and this page goes on.";
},
};
source.take(first);
return source;
};
Wingbeat.colors = (() => {
const HUES = 256;
const CLIMBS = 9;
const SPECIES = 64;
const themes = {
dark: {
wheel: [0.78, 0.135],
climb: 0.12,
speeds: [[0.6, 5.05], [0.95, 8.1]],
species: 0.78,
rest: [0.745, 0.769, 0.816],
},
light: {
wheel: [0.58, 0.125],
climb: -0.12,
speeds: [[0.7, 8.1], [0.3, 5.05]],
species: 0.54,
rest: [0.431, 0.455, 0.502],
},
};
const species = [
[0.2, 4.54], [0, 1.26], [0.04, 2.83], [-0.19, 5.08], [0.2, 1.79], [-0.2, 0.76], [0.03, 5.38],
[-0.19, 3.31],
];
const oklch = (lightness, chroma, hue) => {
const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
const linear = [
4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
];
const curved = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
return linear.map((x) => Math.min(Math.max(curved(x), 0), 1));
};
const theme = (dark) => (dark ? themes.dark : themes.light);
const colors = {
oklch,
heading(turn, rise, dark) {
const { wheel, climb } = theme(dark);
return oklch(wheel[0] + climb * rise, wheel[1] * (1 - 0.3 * rise * rise), turn);
},
speed(share, dark) {
const [slow, fast] = theme(dark).speeds;
return oklch(
slow[0] + (fast[0] - slow[0]) * share,
0.14,
slow[1] + (fast[1] - slow[1]) * share,
);
},
species(k, dark) {
const { species: lightness, wheel: [, chroma] } = theme(dark);
const [lighter, hue] = species[k % species.length];
const round = Math.floor((k % SPECIES) / species.length);
return oklch(
lightness + lighter * 0.7,
chroma * 0.95 * (1 - 0.09 * round),
hue + 0.37 * round,
);
},
table(dark) {
const bytes = new Uint8Array(4 * HUES * (CLIMBS + 2));
const put = (row, k, color) =>
bytes.set([...color.map((x) => Math.round(x * 255)), 255], 4 * (row * HUES + k));
for (let k = 0; k < HUES; k++) {
for (let row = 0; row < CLIMBS; row++)
put(row, k, colors.heading((2 * Math.PI * k) / HUES, (2 * row) / (CLIMBS - 1) - 1, dark));
put(CLIMBS, k, colors.speed(k / (HUES - 1), dark));
put(CLIMBS + 1, k, k < SPECIES ? colors.species(k, dark) : theme(dark).rest);
}
return { width: HUES, height: CLIMBS + 2, bytes };
},
reader: `
uniform highp sampler2D colors;
uniform int colorBy;            // 0 heading, 1 speed, 2 species
uniform vec2 speeds;
uniform float isSpace;
vec3 colorOf(vec3 v, float species) {
float speed = length(v);
ivec2 at = ivec2(${HUES - 1}, ${CLIMBS + 1});
if (colorBy == 1) {
float share = clamp((speed - speeds.x) / max(speeds.y - speeds.x, 1e-12), 0.0, 1.0);
at = ivec2(int(share * ${HUES - 1}.0 + 0.5), ${CLIMBS});
} else if (colorBy == 2) {
at.x = int(species) % ${SPECIES};
} else if (speed > 0.0) {
int turn = int(floor(atan(v.y, v.x) * ${(HUES / (2 * Math.PI)).toFixed(6)} + ${HUES}.5));
at = ivec2(turn % ${HUES},
int((isSpace * v.z / speed + 1.0) * ${((CLIMBS - 1) / 2).toFixed(1)} + 0.5));
}
return texelFetch(colors, at, 0).rgb;
}`,
};
return colors;
})();
Wingbeat.css = (color) => `rgb(${color.map((x) => Math.round(x * 255)).join(" ")})`;
Wingbeat.termColor = (term, dark) => {
const known = { walls: 1.4, obstacles: 0.9, interactions: 5.95 };
const numbered = [5.2, 3.35, 1.9, 4.8, 0.1, 2.35];
const [, kind, place] = /^(drive|rule)\[(\d+)\]$/.exec(term) ?? [];
const hue = kind
? numbered[(Number(place) + (kind === "rule" ? 3 : 0)) % numbered.length]
: (known[term] ?? Wingbeat.rules.find(({ name }) => name === term)?.hue);
if (hue === undefined) return dark ? [0.93, 0.95, 1.0] : [0.1, 0.13, 0.2];
return Wingbeat.colors.oklch(dark ? 0.77 : 0.54, 0.155, hue);
};
Wingbeat.sizes = (source, spacing) => {
const PAIRS = 2e6;
const EVERY = 700;
let [nearest, measured, when] = [null, null, -Infinity];
const median = ({ position, ids: { length } }) => {
if (length < 2) return null;
const samples = Math.min(length, Math.max(24, Math.min(240, Math.floor(PAIRS / length))));
const least = new Float64Array(samples);
for (let k = 0; k < samples; k++) {
const i = Math.floor((k * length) / samples);
const [x, y, z] = position.subarray(3 * i, 3 * i + 3);
let best = Infinity;
for (let j = 0; j < length; j++) {
const [dx, dy, dz] = [
position[3 * j] - x,
position[3 * j + 1] - y,
position[3 * j + 2] - z,
];
const away = dx * dx + dy * dy + dz * dz;
if (away < best && j !== i) best = away;
}
least[k] = best;
}
return Math.sqrt(least.sort()[samples >> 1]);
};
const look = (frame) => {
const clock = performance.now();
if (frame === measured || clock - when < EVERY) return;
[measured, when] = [frame, clock];
const found = median(frame);
if (found !== null) nearest = nearest === null ? found : nearest + 0.35 * (found - nearest);
};
return (frame) => {
look(frame);
const wanted = spacing * (source.dimensions === 2 ? 0.85 : 0.4);
return nearest === null ? wanted : Math.min(wanted, 0.8 * nearest);
};
};
Wingbeat.radiiOf = ({ radii }) => {
const MOST = 64;
if (!radii?.some((radius) => radius > 0)) return null;
return Float32Array.from({ length: MOST }, (_, k) => radii[k] ?? 0);
};
Wingbeat.camera = (dimensions) => {
const { vec, mat } = Wingbeat;
const FOV = (40 * Math.PI) / 180;
const camera = {
target: [0, 0, 0],
distance: 1,
yaw: -0.9,
pitch: 0.35,
size: [1, 1],
covered: 0,
top: 0,
left: 0,
rightCovered: 0,
};
camera.matrix = mat.ortho(1, 1, -1, 1);
let home = null;
const axes = () => {
if (dimensions === 2) return { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] };
const [cy, sy, cp, sp] = [
Math.cos(camera.yaw),
Math.sin(camera.yaw),
Math.cos(camera.pitch),
Math.sin(camera.pitch),
];
const back = [cp * cy, cp * sy, sp];
const right = [-sy, cy, 0];
return { right, up: vec.cross(back, right), back };
};
camera.update = (width, height) => {
camera.size = [width, height];
const { right, up, back } = axes();
const aspect = width / height;
let projection;
if (dimensions === 2) {
camera.eye = vec.add(camera.target, back);
projection = mat.ortho(camera.distance * aspect, camera.distance, -10, 10);
} else {
camera.eye = vec.add(camera.target, vec.scale(back, camera.distance));
const far = camera.distance + 4 * (home?.radius ?? camera.distance);
projection = mat.perspective(FOV, aspect, Math.max(far / 4000, camera.distance / 100), far);
}
camera.back = back;
[camera.right, camera.up] = [right, up];
const raised = [
1, 0, 0, 0,
0, 1, 0, 0,
0, 0, 1, 0,
(camera.left - camera.rightCovered) / width, (camera.covered - camera.top) / height, 0, 1,
];
camera.matrix = mat.times(raised, mat.times(projection, mat.look(camera.eye, right, up, back)));
camera.pixel =
dimensions === 2
? (2 * camera.distance) / height
: (2 * camera.distance * Math.tan(FOV / 2)) / height;
};
camera.fit = (bounds, width, height) => {
const size = vec.sub(bounds.max, bounds.min);
const center = vec.scale(vec.add(bounds.max, bounds.min), 0.5);
const free = Math.max(height - camera.covered - camera.top, height / 6);
const wide = Math.max(width - camera.left - camera.rightCovered, width / 3);
const radius = Math.max(vec.norm(size) / 2, 1e-6);
const flat = Math.max((size[1] * height) / free, (size[0] * height) / wide, 1e-6) * 0.54;
const round =
(radius * 0.92) / Math.sin(FOV / 2) / Math.min(free / height, (wide / height) * 1.1);
home = { target: center, distance: dimensions === 2 ? flat : round, radius };
camera.home();
};
camera.home = () => {
if (!home) return;
camera.target = [...home.target];
camera.distance = home.distance;
[camera.yaw, camera.pitch] = [-0.9, 0.35];
};
camera.zoom = (factor, at) => {
const before = at && camera.plane(at);
camera.distance = Math.min(
Math.max(camera.distance * factor, home.distance / 500),
home.distance * 6,
);
if (before && dimensions === 2) {
camera.update(...camera.size);
camera.target = vec.add(camera.target, vec.sub(before, camera.plane(at)));
}
};
camera.pan = (dx, dy) => {
const { right, up } = axes();
const move = vec.add(vec.scale(right, -dx * camera.pixel), vec.scale(up, dy * camera.pixel));
camera.target = vec.add(camera.target, move);
};
camera.orbit = (dx, dy) => {
camera.yaw -= dx * 0.006;
camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.006, -1.5), 1.5);
};
camera.plane = ([x, y]) => [
camera.target[0] +
(x - (camera.size[0] + camera.left - camera.rightCovered) / 2) * camera.pixel,
camera.target[1] - (y - (camera.size[1] - camera.covered + camera.top) / 2) * camera.pixel,
0,
];
camera.screen = (p) => {
const [x, y, z, w] = mat.project(camera.matrix, p);
return w > 0
? [((x / w + 1) * camera.size[0]) / 2, ((1 - y / w) * camera.size[1]) / 2, z / w]
: null;
};
return camera;
};
Wingbeat.hands = (canvas, camera, dimensions, on, signal) => {
const pointers = new Map();
let travelled = 0;
let most = 0;
const place = (event) => {
const { left, top } = canvas.getBoundingClientRect();
return [event.clientX - left, event.clientY - top];
};
const spread = () => {
const [[ax, ay], [bx, by]] = [...pointers.values()];
return { middle: [(ax + bx) / 2, (ay + by) / 2], apart: Math.hypot(ax - bx, ay - by) };
};
canvas.addEventListener("pointerdown", (event) => {
canvas.setPointerCapture(event.pointerId);
if (pointers.size === 0) [travelled, most] = [0, 0];
pointers.set(event.pointerId, place(event));
most = Math.max(most, pointers.size);
}, { signal });
canvas.addEventListener("pointermove", (event) => {
if (!pointers.has(event.pointerId)) return;
const [was, now] = [pointers.get(event.pointerId), place(event)];
const before = pointers.size === 2 ? spread() : null;
pointers.set(event.pointerId, now);
const [dx, dy] = [now[0] - was[0], now[1] - was[1]];
travelled += Math.hypot(dx, dy);
if (travelled < 5) return;
if (before) {
const after = spread();
camera.zoom(before.apart / Math.max(after.apart, 1), after.middle);
camera.pan(after.middle[0] - before.middle[0], after.middle[1] - before.middle[1]);
on.moved(true);
} else if (pointers.size === 1) {
const pans = dimensions === 2 || event.shiftKey || (event.buttons & 6) !== 0;
if (pans) camera.pan(dx, dy);
else camera.orbit(dx, dy);
on.moved(pans);
}
}, { signal });
const lift = (event) => {
const had = pointers.delete(event.pointerId);
if (
had &&
event.type === "pointerup" &&
travelled < 5 &&
most === 1 &&
pointers.size === 0 &&
event.button === 0
) {
on.tapped(place(event));
}
};
canvas.addEventListener("pointerup", lift, { signal });
canvas.addEventListener("pointercancel", lift, { signal });
canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
canvas.addEventListener(
"wheel",
(event) => {
event.preventDefault();
const lines = event.deltaMode === 1 ? 16 : 1;
camera.zoom(
Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0015),
place(event),
);
on.moved(false);
},
{ passive: false, signal },
);
};
Wingbeat.bodies = (() => {
const which = `
uniform float radii[64];        // of each species; 0: no body
uniform float bodyPixels;
bool isBody(float kind, float perLength) {
float radius = radii[int(kind)];
return radius > 0.0 && radius * perLength >= bodyPixels;
}`;
const vertex = `
out vec2 at;                    // in radii; in the plane the first is ahead
flat out vec3 color, mark, ahead, rise;
flat out float haze, inPixels, hasHeading;
void main() {
stand();
bool chosen = float(gl_InstanceID) == only;
float radius = radii[int(species)];
inPixels = radius * perLength;
vec3 back = normalize(eye - place);
vec3 right = isSpace > 0.5 ? normalize(cross(vec3(0.0, 0.0, 1.0), back)) : forth;
vec3 up = isSpace > 0.5 ? cross(back, right) : left;
at = shape.xy * (1.0 + 1.0 / max(inPixels, 1.0));
gl_Position = view * vec4(place + (right * at.x + up * at.y) * radius, 1.0);
if (!isBody(species, perLength)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
ahead = vec3(dot(forth, right), dot(forth, up), dot(forth, back));
rise = vec3(right.z, up.z, back.z);
hasHeading = length(velocity) > 0.0 ? 1.0 : 0.0;
haze = chosen ? 0.0
: fog.a * clamp((depth - depths.x) / max(depths.y - depths.x, 1e-9), 0.0, 1.0);
color = chosen ? ink : mix(own, fog.rgb, dim);
mark = mix(color, fog.rgb, 0.8);
}`;
const fragment = `#version 300 es
precision highp float;
uniform vec4 fog;
uniform float isSpace;
in vec2 at;
flat in vec3 color, mark, ahead, rise;
flat in float haze, inPixels, hasHeading;
out vec4 pixel;
float covered(float inside) { return clamp(inside * inPixels + 0.5, 0.0, 1.0); }
void main() {
float away = length(at), inside = covered(1.0 - away), lit = 1.0, nose, rim = 0.0;
if (isSpace > 0.5) {
if (inside < 0.5) discard;
inside = 1.0;
vec3 n = vec3(at, sqrt(max(1.0 - away * away, 0.0)));
lit = 0.5 + 0.22 * max(dot(n, rise), 0.0) + 0.44 * n.z;
nose = covered(dot(n, ahead) - 0.8);
} else {
float side = abs(at.y);
nose = covered(
min(0.48 * (0.76 - at.x) - 1.22 * side, 1.31 * (at.x + 0.22 + 0.5 * side)) / 1.31);
float large = clamp((inPixels - 3.0) / 3.0, 0.0, 1.0);
rim = 0.45 * large * covered(away - 1.0 + 1.5 / inPixels);
nose *= large;
}
vec3 shown = mix(mix(color, mark, nose * hasHeading) * lit, fog.rgb, max(haze, rim));
pixel = vec4(shown * inside, inside);
}`;
const square = [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].map(
([x, y]) => [[x, y, 0], [0, 0, 1]],
);
return { which, vertex, fragment, square };
})();
Wingbeat.shaders = (() => {
const WAY = `
uniform vec3 boxMin, boxSize;   // boxSize 0: no periodic box
uniform float span;             // time from one frame to the other
vec3 wayFrom(vec3 a, vec3 va, vec3 b, vec3 vb) {
vec3 d = b - a;
if (boxSize.x > 0.0) {
vec3 side = max(boxSize, vec3(1e-30));
d += boxSize * round(((va + vb) * 0.5 * span - d) / side);
}
return d;
}
vec3 tangent(vec3 v, vec3 d) {
vec3 m = v * span;
float most = 3.0 * length(d), size = length(m);
return size > most ? m * (most / size) : m;
}
vec3 along(vec3 a, vec3 va, vec3 d, vec3 vb, float t) {
vec3 m0 = va == vec3(0.0) ? d : tangent(va, d), m1 = vb == vec3(0.0) ? d : tangent(vb, d);
float t2 = t * t, t3 = t2 * t;
return a + m0 * (t3 - 2.0 * t2 + t) + d * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2);
}
vec3 inBox(vec3 p) {
if (boxSize.x <= 0.0) return p;
return p - boxSize * floor((p - boxMin) / max(boxSize, vec3(1e-30)));
}
vec3 facing(vec3 va, vec3 vb, vec3 d, float t) {
vec3 v = mix(va, vb, t);
if (va == vec3(0.0)) v = vb;
if (vb == vec3(0.0)) v = va;
return dot(v, v) > 0.0 ? v : d;
}`;
const COLOR = Wingbeat.colors.reader;
const HEAD = `#version 300 es
precision highp float;
uniform mat4 view;
`;
const PAIR = `
layout(location = 2) in vec3 posA;
layout(location = 3) in vec3 velA;
layout(location = 4) in vec3 posB;
layout(location = 5) in vec3 velB;
layout(location = 6) in float species;
`;
const FOG = `
uniform vec4 fog;               // colour, and how much of it at the far end
uniform vec2 depths;
vec3 fogged(vec3 color, float depth) {
return mix(color, fog.rgb,
fog.a * clamp((depth - depths.x) / max(depths.y - depths.x, 1e-9), 0.0, 1.0));
}`;
const STAND = `
layout(location = 0) in vec3 shape;
uniform float part, dim;
uniform vec2 pixels;            // pixels a length of 1 has at depth 1: perspective; else .y is 0
uniform vec3 eye, ink;
uniform float only;             // index of the one to stand out, or -1
vec3 place, velocity, forth, left, own;
float depth, perLength;
void stand() {
vec3 d = wayFrom(posA, velA, posB, velB);
place = inBox(along(posA, velA, d, velB, part));
velocity = facing(velA, velB, d, part);
forth = length(velocity) > 0.0 ? normalize(velocity) : vec3(1.0, 0.0, 0.0);
left = abs(forth.z) < 0.98 ? normalize(cross(vec3(0.0, 0.0, 1.0), forth))
: normalize(cross(vec3(1.0, 0.0, 0.0), forth));
depth = (view * vec4(place, 1.0)).w;
perLength = pixels.x / (pixels.y > 0.0 ? max(depth, 1e-9) : 1.0);
own = colorOf(
dot(velA + velB, velA + velB) > 0.0 ? mix(velA, velB, part) : d / max(span, 1e-9), species);
}`;
const boids = [
`${HEAD}${WAY}${COLOR}${PAIR}${FOG}${STAND}${Wingbeat.bodies.which}
layout(location = 1) in vec3 normal;
uniform float size, leastPixels;
out vec3 color;
void main() {
stand();
vec3 up = cross(forth, left);
bool chosen = float(gl_InstanceID) == only;
float s = max(size, leastPixels / perLength) * (chosen ? 1.5 : 1.0);
gl_Position = view * vec4(place + (forth * shape.x + left * shape.y + up * shape.z) * s, 1.0);
if (isBody(species, perLength)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
vec3 n = forth * normal.x + left * normal.y + up * normal.z;
float lit = isSpace > 0.5
? 0.72 + 0.22 * max(n.z, 0.0) + 0.22 * max(dot(n, normalize(eye - place)), 0.0) : 1.0;
color = chosen ? ink : fogged(mix(own * lit, fog.rgb, dim), depth);
}`,
`#version 300 es
precision highp float;
in vec3 color;
out vec4 pixel;
void main() { pixel = vec4(color, 1.0); }`,
];
const bodies = [`${HEAD}${WAY}${COLOR}${PAIR}uniform vec4 fog;
uniform vec2 depths;${STAND}${Wingbeat.bodies.which}${Wingbeat.bodies.vertex}`,
Wingbeat.bodies.fragment];
const trails = [
`${HEAD}${WAY}${COLOR}${PAIR}${FOG}
uniform float pieces, until, oldest, newest, strength, width;
uniform int corners;
uniform vec2 screen;
out vec4 color;
void main() {
int corner = gl_VertexID % corners;
float k = float(gl_VertexID / corners);
float t0 = until * k / pieces, t1 = until * (k + 1.0) / pieces;
vec3 d = wayFrom(posA, velA, posB, velB);
vec3 p0 = inBox(along(posA, velA, d, velB, t0)), p1 = inBox(along(posA, velA, d, velB, t1));
bool second = corner == 1 || corner == 2 || corner == 4;
float t = second ? t1 : t0;
float fresh = mix(oldest, newest, t);
vec4 a = view * vec4(p0, 1.0), b = view * vec4(p1, 1.0);
gl_Position = second ? b : a;
if (corners > 2) {
vec2 way = (b.xy / b.w - a.xy / a.w) * screen;
vec2 side = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(0.0);
float half_width = width * mix(0.4, 1.0, fresh)
* (corner == 0 || corner == 1 || corner == 3 ? -0.5 : 0.5);
gl_Position.xy += side * half_width * 2.0 / screen * gl_Position.w;
}
bool leaves = boxSize.x > 0.0 && any(greaterThan(abs(p1 - p0), boxSize * 0.5));
if (leaves || a.w < 1e-4 || b.w < 1e-4) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
color = vec4(fogged(colorOf(mix(velA, velB, t), species), gl_Position.w), 1.0)
* (strength * fresh * sqrt(fresh));
}`,
`#version 300 es
precision highp float;
in vec4 color;
out vec4 pixel;
void main() { pixel = color; }`,
];
const lines = [
`${HEAD}
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 paint;
layout(location = 3) in vec2 widths;   // of the line, and of its head
uniform vec2 screen;
out vec4 color;
vec4 clipped(vec4 at, vec4 other) {
float least = 1e-4;
return at.w >= least || other.w < least ? at : mix(at, other, (least - at.w) / (other.w - at.w));
}
void main() {
vec4 a0 = view * vec4(from, 1.0), b0 = view * vec4(to, 1.0);
vec4 a = clipped(a0, b0), b = clipped(b0, a0);
vec2 pa = a.xy / a.w * screen * 0.5, pb = b.xy / b.w * screen * 0.5;
vec2 way = pb - pa;
float size = length(way);
vec2 dir = size > 0.0 ? way / size : vec2(1.0, 0.0), side = vec2(-dir.y, dir.x);
float head = min(widths.y * 1.7, size);
vec2 neck = pb - dir * head;
int k = gl_VertexID;
vec2 p;
vec4 depth = b;
if (k < 6) {
bool end = k == 1 || k == 2 || k == 4;
float s = k == 0 || k == 1 || k == 3 ? -0.5 : 0.5;
p = (end ? neck : pa) + side * s * widths.x;
depth = end ? b : a;
} else {
p = k == 6 ? pb : neck + side * (k == 7 ? 0.5 : -0.5) * widths.y * (widths.y > 0.0 ? 1.0 : 0.0);
}
gl_Position = vec4(p / (screen * 0.5) * depth.w, depth.z, depth.w);
if (a.w < 1e-4 || b.w < 1e-4) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
color = vec4(paint.rgb * paint.a, paint.a);
}`,
trails[1],
];
const faces = [
`${HEAD}
layout(location = 0) in vec3 at;
uniform vec4 paint;
out vec4 color;
void main() {
gl_Position = view * vec4(at, 1.0);
color = vec4(paint.rgb * paint.a, paint.a);
}`,
trails[1],
];
const solids = [
`${HEAD}
layout(location = 0) in vec3 at;
out vec3 place;
out float depth;
void main() {
gl_Position = view * vec4(at, 1.0);
place = at;
depth = gl_Position.w;
}`,
`#version 300 es
precision highp float;
${FOG}
uniform vec4 paint;
uniform vec3 eye;
uniform float isSpace;
in vec3 place;
in float depth;
out vec4 pixel;
void main() {
vec3 color = paint.rgb;
if (isSpace > 0.5) {
vec3 n = normalize(cross(dFdx(place), dFdy(place)));
color = fogged(color * (0.55 + 0.25 * n.z + 0.4 * abs(dot(n, normalize(eye - place)))), depth);
}
pixel = vec4(color * paint.a, paint.a);
}`,
];
return { boids, bodies, trails, lines, faces, solids };
})();
Wingbeat.solids = (gl) => {
const mesh = (fields, stride, divisor) => {
const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
gl.bindVertexArray(array);
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
fields.forEach(([count, offset], k) => {
gl.enableVertexAttribArray(k);
gl.vertexAttribPointer(k, count, gl.FLOAT, false, stride, offset);
gl.vertexAttribDivisor(k, divisor);
});
gl.bindVertexArray(null);
return { array, buffer, count: 0 };
};
const faces = mesh([[3, 0]], 12, 0);
const edges = mesh([[3, 0], [3, 12], [4, 24], [2, 40]], 48, 1);
let [held, drawnFor] = [null, null];
const fill = ({ buffer }, data) => {
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
};
return {
set(obstacles, look) {
const same = obstacles === held;
if (!same) {
const triangles = obstacles?.triangles ?? [];
faces.count = triangles.length / 3;
if (faces.count > 0) fill(faces, Float32Array.from(triangles));
}
const style = `${look.dark} ${look.dpr}`;
if (!same || style !== drawnFor) {
const lines = obstacles?.lines ?? [];
edges.count = lines.length / 6;
const data = new Float32Array(12 * edges.count);
const rest = [...look.solidEdge, 1, 1.6 * look.dpr, 0];
for (let i = 0; i < edges.count; i++) {
for (let k = 0; k < 6; k++) data[12 * i + k] = lines[6 * i + k];
data.set(rest, 12 * i + 6);
}
if (edges.count > 0) fill(edges, data);
}
[held, drawnFor] = [obstacles, style];
},
draw(programs, common, camera, look, canvas) {
const inSpace = common.isSpace > 0;
if (faces.count > 0) {
const paint = [...look.solid, inSpace ? look.solidAlpha : 1];
gl.bindVertexArray(faces.array);
programs.solids.use({
view: camera.matrix,
eye: camera.eye,
fog: common.fog,
depths: common.depths,
isSpace: common.isSpace,
paint,
});
if (inSpace) {
gl.enable(gl.CULL_FACE);
gl.depthFunc(gl.LEQUAL);
gl.colorMask(false, false, false, false);
gl.drawArrays(gl.TRIANGLES, 0, faces.count);
gl.colorMask(true, true, true, true);
}
gl.drawArrays(gl.TRIANGLES, 0, faces.count);
gl.disable(gl.CULL_FACE);
gl.depthFunc(gl.LESS);
}
if (edges.count > 0) {
gl.bindVertexArray(edges.array);
programs.lines.use({ view: camera.matrix, screen: [canvas.width, canvas.height] });
gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, edges.count);
}
},
};
};
Wingbeat.renderer = (canvas, source) => {
const gl = canvas.getContext("webgl2", {
antialias: true,
alpha: true,
premultipliedAlpha: true,
powerPreference: "high-performance",
});
if (!gl) return null;
const { vec, shaders } = Wingbeat;
const program = ([vertex, fragment]) => {
const made = gl.createProgram();
for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
const shader = gl.createShader(kind);
gl.shaderSource(shader, text);
gl.compileShader(shader);
if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
throw new Error(gl.getShaderInfoLog(shader));
gl.attachShader(made, shader);
}
gl.linkProgram(made);
if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
const places = new Map();
const place = (name) => {
if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
return places.get(name);
};
const set = (name, value) => {
if (value instanceof Float32Array) gl.uniform1fv(place(name), value);
else if (!Array.isArray(value)) gl.uniform1f(place(name), value);
else
gl[value.length === 16 ? "uniformMatrix4fv" : `uniform${value.length}fv`](
place(name),
...(value.length === 16 ? [false, value] : [value]),
);
};
return {
use(values, whole = {}) {
gl.useProgram(made);
for (const [name, value] of Object.entries(values)) set(name, value);
for (const [name, value] of Object.entries(whole)) gl.uniform1i(place(name), value);
},
};
};
const programs = Object.fromEntries(
Object.entries(shaders).map(([name, texts]) => [name, program(texts)]),
);
const shape = () => {
if (source.dimensions === 2) {
const dart = [
[0.62, 0, 0], [-0.38, 0.3, 0], [-0.2, 0, 0], [0.62, 0, 0], [-0.2, 0, 0], [-0.38, -0.3, 0],
];
return dart.map((corner) => [corner, [0, 0, 1]]);
}
const sides = source.boids > 20000 ? 3 : 5;
const ring = [...Array(sides).keys()].map((k) => {
const angle = (2 * Math.PI * k) / sides + Math.PI / 2;
return [-0.38, 0.24 * Math.cos(angle), 0.24 * Math.sin(angle)];
});
const faces = ring.map((corner, k) => [[0.62, 0, 0], corner, ring[(k + 1) % sides]]);
for (let k = 1; k + 1 < sides; k++) faces.push([ring[0], ring[k + 1], ring[k]]);
return faces.flatMap(([a, b, c]) => {
const normal = vec.unit(vec.cross(vec.sub(b, a), vec.sub(c, a)));
return [a, b, c].map((corner) => [corner, normal]);
});
};
const form = (corners) => {
const buffer = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners.flat(2)), gl.STATIC_DRAW);
return { buffer, count: corners.length };
};
const forms = { boids: form(shape()), bodies: form(Wingbeat.bodies.square) };
const noRadii = new Float32Array(64);
const lineArray = gl.createVertexArray();
const lineBuffer = gl.createBuffer();
gl.bindVertexArray(lineArray);
gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
[[3, 0], [3, 12], [4, 24], [2, 40]].forEach(([count, offset], k) => {
gl.enableVertexAttribArray(k);
gl.vertexAttribPointer(k, count, gl.FLOAT, false, 48, offset);
gl.vertexAttribDivisor(k, 1);
});
const faceArray = gl.createVertexArray();
const faceBuffer = gl.createBuffer();
gl.bindVertexArray(faceArray);
gl.bindBuffer(gl.ARRAY_BUFFER, faceBuffer);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
gl.bindVertexArray(null);
const boxSize = source.periodic ? vec.sub(source.box.max, source.box.min) : [0, 0, 0];
const boxMin = source.periodic ? source.box.min : [0, 0, 0];
const way = (pair) => ({ boxSize, boxMin, span: pair.span });
const texture = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, texture);
for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
let uploaded = null;
const paint = (dark) => {
if (uploaded === dark) return;
uploaded = dark;
const { width, height, bytes } = Wingbeat.colors.table(dark);
gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
};
const solids = Wingbeat.solids(gl);
return {
gl,
draw({ camera, pair, few, part, trails, look, obstacles, edges, lines, faces, only }) {
gl.viewport(0, 0, canvas.width, canvas.height);
gl.clearColor(0, 0, 0, 0);
gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
if (!pair) return;
const flat = source.dimensions === 2;
const reach = vec.norm(vec.sub(source.bounds.max, source.bounds.min)) / 2;
const common = {
view: camera.matrix,
fog: [...look.fog, flat ? 0 : look.haze],
depths: [Math.max(camera.distance - reach, 0), camera.distance + reach],
speeds: source.speeds,
isSpace: flat ? 0 : 1,
};
gl.enable(gl.BLEND);
gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
gl.disable(gl.DEPTH_TEST);
paint(look.dark);
solids.set(obstacles, look);
if (flat) solids.draw(programs, common, camera, look, canvas);
if (trails.length > 0) this.trails(trails, common, look, camera);
if (!flat) gl.enable(gl.DEPTH_TEST);
this.boids(pair, common, { part, only: -1, dim: look.dim }, look, camera);
this.lines(edges, camera);
if (!flat) solids.draw(programs, common, camera, look, canvas);
if (few) {
gl.clear(gl.DEPTH_BUFFER_BIT);
this.boids(few, common, { part, only, dim: 0 }, look, camera);
}
gl.disable(gl.DEPTH_TEST);
for (const face of faces) {
gl.bindVertexArray(faceArray);
gl.bindBuffer(gl.ARRAY_BUFFER, faceBuffer);
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(face.corners), gl.STREAM_DRAW);
programs.faces.use({ view: camera.matrix, paint: face.paint });
gl.drawArrays(gl.TRIANGLES, 0, face.corners.length / 3);
}
this.lines(lines, camera);
gl.bindVertexArray(null);
},
lines(lines, camera) {
if (lines.length === 0) return;
gl.bindVertexArray(lineArray);
gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(lines.flat()), gl.STREAM_DRAW);
programs.lines.use({ view: camera.matrix, screen: [canvas.width, canvas.height] });
gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, lines.length);
},
boids(pair, common, values, look, camera) {
const flat = source.dimensions === 2;
const perLength =
canvas.height / (2 * (flat ? camera.distance : Math.tan((20 * Math.PI) / 180)));
const sizes = {
pixels: [perLength, flat ? 0 : 1],
radii: look.radii ?? noRadii,
bodyPixels: look.bodyPixels,
};
const every = {
...common,
...way(pair),
...values,
...sizes,
eye: camera.eye,
ink: look.ink,
};
this.each("boids", pair, { ...every, size: look.size, leastPixels: look.leastPixels }, look);
if (look.radii) this.each("bodies", pair, every, look);
},
each(name, pair, values, look) {
gl.bindVertexArray(pair.array);
gl.bindBuffer(gl.ARRAY_BUFFER, forms[name].buffer);
for (const [k, offset] of [[0, 0], [1, 12]]) {
gl.enableVertexAttribArray(k);
gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 24, offset);
gl.vertexAttribDivisor(k, 0);
}
programs[name].use(values, { colorBy: look.colorBy });
gl.drawArraysInstanced(gl.TRIANGLES, 0, forms[name].count, pair.count);
},
trails(trails, common, look, camera) {
const pieces = trails.pieces ?? 1;
const { corners } = trails;
const boid = Math.max((look.size * look.dpr) / camera.pixel, look.leastPixels);
const width = Math.min(Math.max(0.22 * boid, 1.3 * look.dpr), 3.5 * look.dpr);
const strip = { screen: [canvas.width, canvas.height], width };
trails.forEach(([pair, until], k) => {
gl.bindVertexArray(pair.array);
gl.disableVertexAttribArray(0);
gl.disableVertexAttribArray(1);
const ages = {
oldest: k / trails.length,
newest: (k + 1) / trails.length,
until,
pieces,
strength: look.trails,
...strip,
};
programs.trails.use(
{ ...common, ...way(pair), ...ages },
{ colorBy: look.colorBy, corners },
);
gl.drawArraysInstanced(
corners === 2 ? gl.LINES : gl.TRIANGLES,
0,
corners * pieces,
pair.count,
);
});
},
};
};
Wingbeat.pairs = (gl) => {
const KEEP = 72;
const cache = new Map();
const clean = (velocity) => {
for (let i = 0; i < velocity.length; i++) {
if (!Number.isNaN(velocity[i])) continue;
const copy = velocity.slice();
for (let k = i; k < copy.length; k++) if (Number.isNaN(copy[k])) copy[k] = 0;
return copy;
}
return velocity;
};
const aligned = (a, b) => {
if (Wingbeat.sameIds(a.ids, b.ids)) return { position: b.position, velocity: b.velocity };
const match = Wingbeat.matchIds(a.ids, b.ids);
const position = a.position.slice();
const velocity = new Float32Array(a.velocity.length);
match.forEach((j, i) => {
if (j < 0) return;
position.set(b.position.subarray(3 * j, 3 * j + 3), 3 * i);
velocity.set(b.velocity.subarray(3 * j, 3 * j + 3), 3 * i);
});
return { position, velocity };
};
const upload = (data) => {
const buffer = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
return buffer;
};
const make = (a, b) => {
const second = aligned(a, b);
const data = {
posA: a.position,
velA: clean(a.velocity),
posB: second.position,
velB: clean(second.velocity),
};
return {
a,
b,
ids: a.ids,
span: b.time - a.time,
...data,
...buffered(data, a.species, a.ids.length),
};
};
const buffered = (data, species, count) => {
const buffers = Object.values(data).map(upload);
if (species) buffers.push(upload(species));
const array = gl.createVertexArray();
gl.bindVertexArray(array);
buffers.forEach((buffer, k) => {
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.enableVertexAttribArray(2 + k);
if (k < 4) gl.vertexAttribPointer(2 + k, 3, gl.FLOAT, false, 0, 0);
else gl.vertexAttribPointer(2 + k, 1, gl.UNSIGNED_BYTE, false, 0, 0);
gl.vertexAttribDivisor(2 + k, 1);
});
gl.bindVertexArray(null);
const drop = () => {
buffers.forEach((buffer) => gl.deleteBuffer(buffer));
gl.deleteVertexArray(array);
};
return { count, species, array, drop };
};
return {
drop() {
cache.forEach((pair) => pair.drop());
cache.clear();
},
few({ posA, velA, posB, velB, species, span }, indices) {
const pick = (column) =>
Float32Array.from(
indices.flatMap((i) => [column[3 * i], column[3 * i + 1], column[3 * i + 2]]),
);
const data = { posA: pick(posA), velA: pick(velA), posB: pick(posB), velB: pick(velB) };
return {
span,
...buffered(data, species && Uint8Array.from(indices, (i) => species[i]), indices.length),
};
},
of(a, b) {
const key = `${a.step} ${b.step}`;
let held = cache.get(key);
if (held && (held.a !== a || held.b !== b)) {
held.drop();
held = null;
}
cache.delete(key);
cache.set(key, held ?? make(a, b));
if (cache.size > KEEP) {
const [oldest, pair] = cache.entries().next().value;
pair.drop();
cache.delete(oldest);
}
return cache.get(key);
},
};
};
Wingbeat.between = (pair, i, part, source) => {
const { vec } = Wingbeat;
const get = (column) => [column[3 * i], column[3 * i + 1], column[3 * i + 2]];
const [a, va, b, vb] = [get(pair.posA), get(pair.velA), get(pair.posB), get(pair.velB)];
const { span } = pair;
const size = source.periodic ? vec.sub(source.box.max, source.box.min) : null;
let d = vec.sub(b, a);
if (size)
d = d.map((x, k) =>
size[k] > 0 ? x + size[k] * Math.round((((va[k] + vb[k]) / 2) * span - x) / size[k]) : x,
);
const tangent = (v) => {
if (vec.norm(v) === 0) return d;
const m = vec.scale(v, span);
const [most, length] = [3 * vec.norm(d), vec.norm(m)];
return length > most ? vec.scale(m, most / length) : m;
};
const [m0, m1] = [tangent(va), tangent(vb)];
const [t, t2, t3] = [part, part * part, part * part * part];
let p = a.map(
(x, k) => x + m0[k] * (t3 - 2 * t2 + t) + d[k] * (3 * t2 - 2 * t3) + m1[k] * (t3 - t2),
);
if (size)
p = p.map((x, k) =>
size[k] > 0 ? x - size[k] * Math.floor((x - source.box.min[k]) / size[k]) : x,
);
const v =
vec.norm(va) === 0 ? vb : vec.norm(vb) === 0 ? va : va.map((x, k) => x + (vb[k] - x) * part);
return [p, v];
};
Wingbeat.parts = (decision) => {
if (decision.kind === "terms") return decision.terms;
const whole = {
term: decision.name ?? "",
sees: decision.sees,
served: 1,
taken: decision.wanted ?? null,
};
return [whole, ...(decision.terms ?? [])];
};
Wingbeat.overlay = (source) => {
const { vec } = Wingbeat;
const flat = source.dimensions === 2;
const wide = (v) => [v[0], v[1], v[2] ?? 0];
const line = (from, to, color, alpha, width, head = 0) => [
...from, ...to, ...color, alpha, width, head,
];
const edges = (box) => {
const corner = (k) => [0, 1, 2].map((a) => ((k >> a) & 1 ? box.max[a] : box.min[a]));
const lines = [];
for (let k = 0; k < 8; k++) {
for (let a = 0; a < 3; a++)
if (!((k >> a) & 1) && box.max[a] > box.min[a])
lines.push([corner(k), corner(k | (1 << a))]);
}
return flat ? lines.slice(0, 4) : lines;
};
const ring = (apex, axis, radius, angle, count) => {
const [left, up] = vec.frame(axis);
return [...Array(count + 1).keys()].map((k) => {
const turn = (2 * Math.PI * k) / count;
const side = vec.add(vec.scale(left, Math.cos(turn)), vec.scale(up, Math.sin(turn)));
return vec.add(
apex,
vec.scale(
vec.add(vec.scale(axis, Math.cos(angle)), vec.scale(side, Math.sin(angle))),
radius,
),
);
});
};
const arc = (apex, axis, side, radius, angle, count = 48) =>
[...Array(count + 1).keys()].map((k) => {
const turn = -angle + (2 * angle * k) / count;
return vec.add(
apex,
vec.scale(
vec.add(vec.scale(axis, Math.cos(turn)), vec.scale(side, Math.sin(turn))),
radius,
),
);
});
const nearest = (from, to) => {
if (!source.periodic) return to;
const size = vec.sub(source.box.max, source.box.min);
return to.map((x, a) => (size[a] > 0 ? x - size[a] * Math.round((x - from[a]) / size[a]) : x));
};
const strip = (points, color, alpha, width) =>
points.slice(1).map((p, k) => line(points[k], p, color, alpha, width));
const sight = (apex, axis, sees, color, filled, lines, faces) => {
const half =
sees.cos_half_view === null
? Math.PI
: Math.acos(Math.max(-1, Math.min(1, sees.cos_half_view)));
const whole = half >= Math.PI - 1e-6;
const paint = [...color, 0.1];
if (flat) {
const points = arc(apex, axis, [-axis[1], axis[0], 0], sees.radius, half);
lines.push(...strip(points, color, 0.7, 1.25));
if (!whole)
lines.push(
line(apex, points[0], color, 0.7, 1.25),
line(apex, points[points.length - 1], color, 0.7, 1.25),
);
if (filled)
faces.push({
corners: points.slice(1).flatMap((p, k) => [...apex, ...points[k], ...p]),
paint,
});
return;
}
const [left, up] = vec.frame(axis);
lines.push(...strip(arc(apex, axis, left, sees.radius, half), color, 0.55, 1.25));
lines.push(...strip(arc(apex, axis, up, sees.radius, half), color, 0.55, 1.25));
const rim = ring(apex, axis, sees.radius, whole ? Math.PI / 2 : half, 48);
lines.push(...strip(rim, color, 0.55, 1.25));
if (whole) return;
for (let k = 0; k < 48; k += 12) lines.push(line(apex, rim[k], color, 0.4, 1.25));
if (filled)
faces.push({ corners: rim.slice(1).flatMap((p, k) => [...apex, ...rim[k], ...p]), paint });
};
return {
box(look) {
const drawn =
(width) =>
([from, to]) =>
line(from, to, look.edge, look.edgeAlpha, width * look.dpr);
return (source.box ? edges(source.box) : []).map(drawn(1.2));
},
explained(told, apex, velocity, at, camera, look, shown) {
const [lines, faces] = [[], []];
const { decision } = told;
const terms = Wingbeat.parts(decision);
const scale = (width) => width * look.dpr;
const axis = vec.norm(velocity) > 0 ? vec.unit(velocity) : [1, 0, 0];
const seeing = terms.filter((term) => term.sees?.radius);
const largest = seeing.reduce((most, term) => Math.max(most, term.sees.radius), 0);
if (shown.sight) {
const drawn = new Set();
for (const { term, sees } of [...seeing].sort((a, b) => b.sees.radius - a.sees.radius)) {
const key = `${sees.radius} ${sees.cos_half_view}`;
if (drawn.has(key)) continue;
sight(
apex,
axis,
sees,
Wingbeat.termColor(term, look.dark),
drawn.size === 0,
lines,
faces,
);
drawn.add(key);
}
lines.forEach((one) => (one[10] *= look.dpr));
}
if (shown.links) {
const linked = new Set();
for (const { sees } of terms) {
for (const one of sees?.neighbors ?? []) {
if (linked.has(one.id) || one.id === told.boid) continue;
linked.add(one.id);
const there = at(one.id);
const direct = there && vec.sub(there, apex);
const straight =
direct &&
vec.norm(vec.sub(direct, wide(one.offset))) < vec.norm(wide(one.offset)) + 1e-9;
const to = straight ? there : vec.add(apex, wide(one.offset));
lines.push(line(apex, to, look.ink, 0.55, scale(1.3)));
}
}
const inTheWay = told.advance?.hindered?.by ?? [];
for (const id of Wingbeat.othersOf(told)) {
const there = !linked.has(id) && at(id);
if (there)
lines.push(
line(
apex,
nearest(apex, there),
look.ink,
inTheWay.includes(id) ? 0.9 : 0.4,
scale(inTheWay.includes(id) ? 2.2 : 1.3),
),
);
}
}
if (shown.forces && decision.steering) {
const arrows = terms
.filter((term) => vec.norm(wide(term.taken)) > 0)
.map((term) => [term.term, wide(term.taken)]);
arrows.push(["sum", wide(decision.steering)]);
const longest = Math.max(...arrows.map(([, force]) => vec.norm(force)));
const length = Math.max(0.7 * largest, 80 * camera.pixel);
for (const [term, force] of arrows) {
if (longest === 0) break;
const to = vec.add(apex, vec.scale(force, length / longest));
const sum = term === "sum";
lines.push(
line(
apex,
to,
Wingbeat.termColor(term, look.dark),
sum ? 0.9 : 1,
scale(sum ? 2.2 : 3.2),
scale(sum ? 9 : 12),
),
);
}
}
return { lines, faces };
},
};
};
Wingbeat.places = (source, canvas, signal) => {
const layer = document.createElement("div");
layer.className = "places";
layer.setAttribute("aria-hidden", "true");
canvas.after(layer);
signal.addEventListener("abort", () => layer.remove());
const hues = { exit: 2.6, source: 4.4 };
let [held, labels] = [null, []];
const follow = () => {
if (source.places === held) return;
held = source.places;
labels = (held ?? []).map(({ kind, name, lines, open }) => {
const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
lines.forEach(
(x, k) => ([min[k % 3], max[k % 3]] = [Math.min(min[k % 3], x), Math.max(max[k % 3], x)]),
);
const text = document.createElement("span");
text.title = kind;
const at = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
return { text, name, kind, lines, open: open ?? [0, null], at };
});
layer.replaceChildren(...labels.map(({ text }) => text));
};
const DASHES = 9;
const dashed = (lines, color, look) => {
const pieces = [];
for (let i = 0; i < lines.length; i += 6) {
const [from, to] = [lines.slice(i, i + 3), lines.slice(i + 3, i + 6)];
const at = (k) => from.map((x, a) => x + ((to[a] - x) * k) / DASHES);
for (let k = 0; k < DASHES; k += 2)
pieces.push([...at(k), ...at(k + 1), ...color, 0.7, 1.4 * look.dpr, 0]);
}
return pieces;
};
const isOpen = ({ open: [opens, closes] }, now) =>
now >= opens && (closes === null || now < closes);
return {
lines(look, now) {
follow();
return labels.flatMap((label) => {
const { kind, lines } = label;
const chroma = isOpen(label, now) ? 0.11 : 0;
const color = Wingbeat.colors.oklch(look.dark ? 0.77 : 0.5, chroma, hues[kind] ?? 2.6);
if (chroma === 0) return dashed(lines, color, look);
return Array.from({ length: lines.length / 6 }, (_, i) => [
...lines.slice(6 * i, 6 * i + 6), ...color, 0.7, 1.4 * look.dpr, 0,
]);
});
},
name(camera, dark, now) {
follow();
labels.forEach((label) => {
const { text, name, kind, at } = label;
const seen = camera.screen(at);
text.hidden = !seen;
if (!seen) return;
const isClosed = !isOpen(label, now);
const said = isClosed ? `${name} (closed)` : name;
if (text.textContent !== said) text.textContent = said;
text.style.transform =
`translate(${seen[0].toFixed(1)}px, ${seen[1].toFixed(1)}px) ` + "translate(-50%, 2px)";
text.style.color = Wingbeat.css(
Wingbeat.colors.oklch(dark ? 0.82 : 0.45, isClosed ? 0 : 0.09, hues[kind] ?? 2.6),
);
});
},
};
};
Wingbeat.chart = (canvas, legend, source, signal) => {
const hidden = new Set(["milling", "nearest_neighbor_distance"]);
const { names: all = [], counts = 0 } = source.observables ?? {};
if (counts > 0) hidden.add("mean_speed");
const hues = ["--chart-1", "--chart-2", "--chart-3", "--chart-4"];
if (counts > hues.length) all.slice(2, counts).forEach((name) => hidden.add(name));
const unitScale = new Set(["polarization", "milling"]);
let buttons = [];
const columns = () => source.observables ?? { time: [], names: [], values: [] };
const isCount = (k) => k < (columns().counts ?? 0);
const label = (name) =>
name.replaceAll("_", " ").replace("nearest neighbor distance", "nearest distance");
const FONT = "10px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const LINE = 12;
let left = 0;
const digits = (value, k) => {
if (value === null || value === undefined) return "–";
return isCount(k) ? value.toLocaleString("en") : Wingbeat.digits(value, 3);
};
const build = () => {
const { names } = columns();
legend.replaceChildren();
buttons = names.map((name, k) => {
const button = document.createElement("button");
button.type = "button";
button.className = "chip";
button.setAttribute("aria-pressed", String(!hidden.has(name)));
button.title = `Show or hide ${label(name)}`;
button.style.setProperty("--hue", `var(${hues[k % hues.length]})`);
button.innerHTML = `<i></i><span>${label(name)}</span> <b>–</b>`;
button.addEventListener("click", () => {
if (!hidden.delete(name)) hidden.add(name);
button.setAttribute("aria-pressed", String(!hidden.has(name)));
chart.stale = true;
});
legend.append(button);
return button;
});
};
const indexAt = (times, time) => {
let [low, high] = [0, times.length - 1];
while (low < high) {
const middle = (low + high + 1) >> 1;
if (times[middle] <= time) low = middle;
else high = middle - 1;
}
return low;
};
const curve = (name, column, hue, style, k) => {
if (hidden.has(name)) return null;
let [least, most] = [0, unitScale.has(name) ? 1 : 0];
const { values, counts } = columns();
for (const one of isCount(k) ? values.slice(0, counts) : [column]) {
for (const value of one) {
if (value > most) most = value;
if (value !== null && value < least) least = value;
}
}
return { column, least, most, color: style.getPropertyValue(hue), isCount: isCount(k) };
};
const scales = (pen, shown, wide, bottom) => {
let x = 0;
const own = shown.filter(({ isCount }, k) => !isCount || !shown[k - 1]?.isCount);
for (const { least, most, color } of own.slice(0, wide < 480 ? 2 : 4)) {
const ends = [most, least].map((value) => Wingbeat.digits(value, 2));
const room = Math.max(...ends.map((text) => pen.measureText(text).width));
pen.fillStyle = color;
pen.textAlign = "right";
ends.forEach((text, k) => {
pen.textBaseline = k === 0 ? "top" : "bottom";
pen.fillText(text, x + 5 + room, k === 0 ? 3 : bottom - 1);
});
x += room + 7;
}
return x > 0 ? Math.ceil(x) + 3 : 0;
};
const ticks = (pen, area, style) => {
const [first, last] = chart.span();
pen.fillStyle = style.getPropertyValue("--soft");
pen.textBaseline = "bottom";
pen.textAlign = "right";
const name = source.timeUnit ? `time, ${source.timeUnit}` : "time";
const end = area.left + area.width - 4;
const base = area.bottom + LINE + 2;
pen.fillText(name, end, base);
const free = end - pen.measureText(name).width - 8;
const least = ((last - first) * 64) / Math.max(area.width, 64);
const decade = 10 ** Math.floor(Math.log10(least));
const step = [1, 2, 5, 10].find((times) => times * decade >= least) * decade;
if (!(step > 0 && Number.isFinite(step))) return;
const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
for (let k = Math.ceil(first / step - 1e-9); k * step <= last + 1e-9 * step; k++) {
const text = (k * step).toFixed(decimals);
const x = area.left + chart.place(k * step) * area.width;
const half = pen.measureText(text).width / 2;
const middle = Math.max(x, area.left + half + 2);
if (middle + half > free) break;
pen.textAlign = "center";
pen.fillText(text, middle, base);
pen.globalAlpha = 0.25;
pen.fillRect(x, area.top - 4, 1, area.bottom + 7 - area.top);
pen.globalAlpha = 1;
}
};
const line = (pen, area, { column, least, most, color }, time, filled) => {
const y = (value) =>
area.bottom -
(most > least ? (value - least) / (most - least) : 0) * (area.bottom - area.top);
[pen.strokeStyle, pen.fillStyle, pen.lineWidth, pen.lineJoin] = [color, color, 1.6, "round"];
pen.beginPath();
let isDown = false;
let [first, last] = [0, 0];
const stride = Math.max(1, Math.floor(time.length / area.width));
for (let i = 0; i < time.length; i += stride) {
if (column[i] === null) {
isDown = false;
continue;
}
const x = area.left + chart.place(time[i]) * area.width;
if (!isDown) first = x;
pen[isDown ? "lineTo" : "moveTo"](x, y(column[i]));
[isDown, last] = [true, x];
}
pen.stroke();
if (!filled || !isDown) return;
pen.lineTo(last, area.bottom + 3);
pen.lineTo(first, area.bottom + 3);
pen.globalAlpha = 0.12;
pen.fill();
pen.globalAlpha = 1;
};
const chart = {
stale: true,
place(time) {
const [first, last] = chart.span();
return last > first ? (time - first) / (last - first) : 0;
},
span() {
const count = source.frames();
if (count) return [source.time(0), source.time(count - 1)];
const { time } = columns();
return time.length ? [time[0], time[time.length - 1]] : [0, 1];
},
draw(now) {
const { time, names, values } = columns();
if (buttons.length !== names.length) build();
const dpr = window.devicePixelRatio || 1;
const [width, height] = [
Math.round(canvas.clientWidth * dpr),
Math.round(canvas.clientHeight * dpr),
];
if (width === 0 || height === 0) return;
if (canvas.width !== width || canvas.height !== height)
[canvas.width, canvas.height] = [width, height];
const pen = canvas.getContext("2d");
const style = getComputedStyle(canvas);
pen.setTransform(dpr, 0, 0, dpr, 0, 0);
pen.clearRect(0, 0, width, height);
const shown =
time.length === 0
? []
: names
.map((name, k) => curve(name, values[k], hues[k % hues.length], style, k))
.filter(Boolean);
const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
pen.font = FONT;
const right = scales(pen, shown, wide, high - LINE);
if (right !== left) {
left = right;
canvas.parentElement.style.setProperty("--left", `${left}px`);
}
const area = { left, width: wide - left, top: 4, bottom: high - LINE - 3 };
ticks(pen, area, style);
shown.forEach((one, k) => line(pen, area, one, time, k === 0));
const x = left + chart.place(now) * area.width;
pen.fillStyle = style.getPropertyValue("--ink");
pen.fillRect(Math.min(Math.max(x - 0.75, left), wide - 1.5), 0, 1.5, high - LINE);
pen.beginPath();
pen.arc(Math.min(Math.max(x, left + 4), wide - 4), (high - LINE) / 2, 4, 0, 7);
pen.fill();
if (time.length > 0) {
const i = indexAt(time, now);
buttons.forEach(
(button, k) => (button.lastElementChild.textContent = digits(values[k][i], k)),
);
}
chart.stale = false;
},
};
const resized = new ResizeObserver(() => (chart.stale = true));
resized.observe(canvas);
signal.addEventListener("abort", () => resized.disconnect());
return chart;
};
Wingbeat.plain = (value, count) => {
const short = Number(value.toPrecision(count));
return Math.abs(short) >= 10 ** 6 ? short.toExponential().replace("+", "") : String(short);
};
Wingbeat.keyInWords = (key) => {
const [first, ...rest] = key.split(".");
const isNamed = ["species", "interaction", "drive", "exit", "source", "obstacle"];
const isPlain = first === "model" || first === "agent";
const parts = isPlain || isNamed.includes(first) ? rest : [first, ...rest];
return parts.filter((part) => part !== "agent").join(" ").replaceAll("_", " ");
};
Wingbeat.range = ([low, high]) => {
const [isTiny, isHuge] = [low > 0 && low <= 1e-6, high >= 1e6];
if (low <= -1e6 && isHuge) return "any number";
const from = isTiny ? "above 0" : Wingbeat.plain(low, 6);
if (isHuge) return isTiny ? from : `${from} and above`;
const to = Wingbeat.plain(high, 6);
return isTiny ? `${from}, at most ${to}` : `${from} to ${to}`;
};
Wingbeat.spelled = (unit, { unit: length, timeUnit: time }) =>
unit.replace("length", length ?? "length").replace("time", time ?? "time");
Wingbeat.digits = (value, count) => {
if (value === 0) return "0";
const size = Math.abs(value);
if (size >= 10 ** 6 || size < 1e-4) return value.toExponential(count - 1);
return value.toFixed(Math.max(0, Math.min(6, count - 1 - Math.floor(Math.log10(size)))));
};
Wingbeat.legend = (element, source, resized, signal) => {
const part = (name) => element.querySelector(`[data-key="${name}"]`);
const [bar, barText, wheel, text, species] =
["bar", "length", "wheel", "text", "species"].map(part);
const toggle = part("toggle");
const unit = source.unit ?? "units";
const flat = source.dimensions === 2;
const { colors } = Wingbeat;
const said = {};
const once = (what, key, act) => {
if (said[what] === key) return;
said[what] = key;
act();
};
toggle.addEventListener("click", () => {
const open = element.classList.toggle("open");
toggle.setAttribute("aria-expanded", String(open));
resized();
}, { signal });
const roundLength = (most) => {
const decade = 10 ** Math.floor(Math.log10(most));
return [5, 2, 1].find((times) => times * decade <= most) * decade;
};
const scaleBar = (camera) => {
const length = roundLength(camera.pixel * Math.min(120, 0.2 * camera.size[0]));
if (!Number.isFinite(length)) return;
const decimals = Math.max(0, -Math.floor(Math.log10(length) + 1e-9));
const shown =
length < 1e-4 || length >= 1e6 ? length.toExponential(0) : length.toFixed(decimals);
bar.style.width = `${length / camera.pixel}px`;
once(
"length",
shown,
() =>
(barText.textContent = shown === "1" && unit === "units" ? "1 unit" : `${shown} ${unit}`),
);
};
const drawWheel = (camera, dark) => {
const size = wheel.clientWidth * Math.min(window.devicePixelRatio || 1, 2);
if (size === 0) return;
wheel.width = wheel.height = size;
const pen = wheel.getContext("2d");
const up = camera.up ?? [0, 1, 0];
const [middle, radius] = [size / 2, size * 0.4];
for (let k = 0; k < 96; k++) {
const turn = (2 * Math.PI * k) / 96;
const at = [camera.right, up].map(
(axis) => axis[0] * Math.cos(turn) + axis[1] * Math.sin(turn),
);
pen.fillStyle = Wingbeat.css(colors.heading(turn, 0, dark));
pen.beginPath();
pen.arc(middle + radius * at[0], middle - radius * at[1], size * 0.085, 0, 7);
pen.fill();
}
};
const ramp = (dark) =>
`linear-gradient(90deg, ${[...Array(17).keys()]
.map((k) => Wingbeat.css(colors.speed(k / 16, dark)))
.join(", ")})`;
const number = (value) => Wingbeat.digits(value, 3);
const speedBar = (dark) => {
const [slow, fast] = source.speeds;
const name = document.createElement("span");
name.textContent = "speed";
const line = document.createElement("i");
line.className = "ramp";
line.style.background = ramp(dark);
const [low, high] = [slow, fast].map((value) => {
const shown = document.createElement("b");
shown.textContent = number(value);
return shown;
});
const per = source.unit ? Wingbeat.spelled("length/time", source) : `${unit} per time`;
text.replaceChildren(name, low, line, high, document.createTextNode(per));
};
const speciesList = (dark) => {
species.replaceChildren(
...(source.species ?? []).map((name, k) => {
const item = document.createElement("li");
const dot = document.createElement("i");
dot.style.background = Wingbeat.css(colors.species(k, dark));
item.append(dot, name);
return item;
}),
);
};
return {
show(camera, { color, dark }) {
scaleBar(camera);
once("kind", color, () => {
wheel.hidden = color !== "heading";
species.hidden = color !== "species";
text.hidden = color === "species";
element.classList.toggle("many", color === "species" && (source.species ?? []).length > 6);
});
if (color === "heading") {
const heading = flat ? "heading" : `heading, ${dark ? "lighter" : "darker"}: up`;
once("text", heading, () => (text.textContent = heading));
const view = flat ? "" : [...camera.right, ...(camera.up ?? [])].map((x) => x.toFixed(2));
once("wheel", `${dark} ${wheel.clientWidth} ${view}`, () => drawWheel(camera, dark));
} else if (color === "speed") {
once("text", `${color} ${dark} ${source.speeds.map(number)}`, () => speedBar(dark));
} else {
once("species", `${dark} ${source.species}`, () => speciesList(dark));
}
once("height", element.offsetHeight, resized);
},
};
};
Wingbeat.othersTold = (told, { number, vector, size, pick, escape }) => {
const NAMED = 6;
const { anticipation, hindered, squeezed } = told.advance ?? {};
const lines = [];
const people = (ids) =>
ids.slice(0, NAMED).map(pick).join(" ") +
(ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "");
const going = (v) => `<span title="${vector(v)}">${number(size(v), 3)}</span>`;
const same = (v, w) => v.every((x, a) => x === w[a]);
const degrees = (v, w) =>
(Math.acos(
Math.min(1, Math.max(-1, v.reduce((sum, x, a) => sum + x * w[a], 0) / (size(v) * size(w)))),
) *
180) /
Math.PI;
const turned = (v, w) =>
size(v) > 0 && size(w) > 0 && degrees(v, w) >= 0.5 ? `, ${degrees(v, w).toFixed(0)}° off` : "";
for (const { name, term, drive } of told.decision.terms ?? []) {
if (drive?.waits)
lines.push(`Its drive ${escape(name ?? term)} waits until its delay is over.`);
}
if (anticipation) {
const { model, others, walls, preferred, asked, blocked, velocity, force } = anticipation;
const seen = [
others.length > 0 && people(others),
walls > 0 && `${walls} wall${walls === 1 ? "" : "s"}`,
]
.filter(Boolean)
.join(", and ");
lines.push(`It looks ahead (${escape(model.replaceAll("_", " "))}) at ${seen || "no boid"}.`);
const aside = same(asked, preferred)
? ""
: `, turns ${number((Math.abs(blocked) * 180) / Math.PI, 2)}° ` +
`to the ${blocked < 0 ? "left" : "right"}`;
const answer = velocity
? `chooses ${going(velocity)}${turned(preferred, velocity)}`
: `is pushed by a force of ${going(force)}`;
lines.push(`It prefers a speed of ${going(preferred)}${aside}, and ${answer}.`);
}
if (hindered) {
const { by, wanted, way } = hindered;
lines.push(
by.length > 0
? `In the way of its body: ${people(by)}.`
: "Its body goes no further in one step.",
);
lines.push(`Of a way of ${going(wanted)} it is left ${going(way)}.`);
}
if (squeezed)
lines.push(
"It is squeezed: an obstacle overlaps it, and no straight way leads to a free place.",
);
return lines.map((line) => `<p>${line}</p>`).join("");
};
Wingbeat.othersOf = ({ advance }) => [
...new Set([...(advance?.anticipation?.others ?? []), ...(advance?.hindered?.by ?? [])]),
];
Wingbeat.inspector = (panel, source, on, signal) => {
const SHOWN = 60;
const shown = { links: true, sight: true, forces: true };
const part = (name) => panel.querySelector(`[data-part="${name}"]`);
const escape = (text) =>
String(text).replace(
/[&<>"]/g,
(c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
);
const number = (value, count = 4) =>
value === null || value === undefined || Number.isNaN(value)
? "–"
: Wingbeat.digits(value, count);
const vector = (v) => (v ? v.map((x) => number(x)).join("  ") : "–");
const size = (v) => (v ? Math.hypot(...v) : null);
panel.querySelectorAll("[data-show]").forEach((button) => {
button.addEventListener("click", () => {
const name = button.dataset.show;
shown[name] = !shown[name];
button.setAttribute("aria-pressed", String(shown[name]));
on.changed();
}, { signal });
button.setAttribute("aria-pressed", "true");
});
part("close").addEventListener("click", () => on.closed(), { signal });
part("follow").addEventListener("click", () => on.followed(), { signal });
panel.addEventListener("click", (event) => {
const pick = event.target.closest("[data-pick]");
if (pick) on.picked(Number(pick.dataset.pick));
}, { signal });
const swatch = (term) => `<i class="swatch" data-term="${escape(term)}"></i>`;
const headingOf = (v) => {
if (!v || size(v) === 0) return "–";
const turn = (Math.atan2(v[1], v[0]) * 180) / Math.PI;
const rise = v.length > 2 ? (Math.asin(v[2] / size(v)) * 180) / Math.PI : null;
return (
`${turn.toFixed(1)}°` +
`${rise === null ? "" : `, ${rise >= 0 ? "up" : "down"} ${Math.abs(rise).toFixed(1)}°`}`
);
};
const facts = (told) => {
const { stamina } = told;
const rows = [
["species", told.species && escape(told.species)],
["position", vector(told.position.map((x, a) => x + (told.origin?.[a] ?? 0)))],
["speed", number(size(told.velocity))],
["heading", headingOf(told.velocity)],
["velocity", vector(told.velocity)],
[
"stamina",
stamina &&
`${number(stamina.left, 3)} of ${number(stamina.capacity, 3)}` +
`${stamina.resting ? ", resting" : ""}`,
],
];
return rows
.filter(([, value]) => value)
.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
.join("");
};
const readable = (key) => key.replaceAll("_", " ");
const shownValue = (value) => {
if (Array.isArray(value)) return vector(value);
if (typeof value === "number") return number(value);
return typeof value === "boolean" ? (value ? "yes" : "no") : escape(value);
};
const details = (term) => {
const people = (term.interactions ?? []).map(({ kind, species, neighbor, force }) => {
const nearest = neighbor
? `${pick(neighbor.id)} at ${number(neighbor.distance, 3)}, force ${number(size(force), 3)}`
: "no boid near";
return [`${kind} ${species}`, nearest];
});
const numbers = Object.entries({ ...term.drive, ...term.obstacle }).filter(
([, value]) => value !== null,
);
const rows = [
...people,
...numbers.map(([key, value]) => [
readable(key),
key === "leader" ? pick(value) : shownValue(value),
]),
];
if (rows.length === 0) return "";
return (
`<tr class="details"><td colspan="9"><details data-term="${escape(term.term)}">` +
`<summary>${escape(term.kind ?? "more")}</summary>
<dl>${rows.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${value}</dd>`).join("")}` +
"</dl></details></td></tr>"
);
};
const pick = (id) =>
`<button type="button" class="id" data-pick="${id}" aria-label="Choose boid ${id}">` +
`${id}</button>`;
const nameOf = (term) => term.name ?? term.term;
const termTable = (decision) => {
if (!decision.terms) return "";
const says = (term) =>
!(term.term === "walls" && size(term.taken) === 0) && term.drive?.applies !== false;
const terms = Wingbeat.parts(decision).filter(says);
const columns = [
["radius", (term) => term.sees?.radius && number(term.sees.radius, 3)],
["sees", (term) => term.sees && `${term.sees.neighbors.length}`],
[
"weight",
(term) => (term.rule ?? term.drive) && number((term.rule ?? term.drive).weight, 3),
],
].filter(([, value]) => terms.some(value));
const rows = terms.map((term) => {
const served = term.served < 1 ? ` <small>${Math.round(term.served * 100)} %</small>` : "";
return (
`<tr title="${vector(term.taken)}"><th scope="row">` +
`${swatch(term.term)}${escape(nameOf(term))}${served}</th>
${columns.map(([, value]) => `<td>${value(term) || ""}</td>`).join("")}` +
`<td>${number(size(term.taken), 3)}</td></tr>${details(term)}`
);
});
const cut =
(decision.cut_to ?? null) === null
? ""
: ` <small>cut to ${number(decision.cut_to, 3)}</small>`;
rows.push(
`<tr class="sum" title="${vector(decision.steering)}">` +
`<th scope="row">${swatch("sum")}steering${cut}</th>
${columns.map(() => "<td></td>").join("")}` +
`<td>${number(size(decision.steering), 3)}</td></tr>`,
);
return (
`<table><caption>${escape(
decision.combine ? `${decision.combine} rules` : readable(decision.name),
)}</caption><thead><tr><th scope="col">term</th>
${columns.map(([name]) => `<th scope="col">${name}</th>`).join("")}` +
`<th scope="col">force</th></tr></thead>
<tbody>${rows.join("")}</tbody></table>`
);
};
const neighborTable = (decision, self) => {
const marks = new Map();
for (const { term, sees } of Wingbeat.parts(decision)) {
for (const one of sees?.neighbors ?? []) {
if (one.id === self) continue;
if (!marks.has(one.id)) marks.set(one.id, { one, terms: [] });
if (term) marks.get(one.id).terms.push(term);
}
}
const list = [...marks.values()].sort(
(a, b) => a.one.distance - b.one.distance || a.one.id - b.one.id,
);
const kinds = list.some(({ one }) => one.species);
const rows = list.slice(0, SHOWN).map(
({ one, terms }) =>
`<tr><td>${pick(one.id)}</td>${kinds ? `<td>${escape(one.species ?? "")}</td>` : ""}
<td>${number(one.distance, 3)}</td>` +
`<td>${one.angle === null ? "–" : `${one.angle.toFixed(0)}°`}</td>
<td>${terms.map(swatch).join("")}</td></tr>`,
);
const more = list.length > SHOWN ? `<p class="note">and ${list.length - SHOWN} more</p>` : "";
const isNear = decision.kind === "nearest";
const title = isNear
? `${list.length} ` +
`${decision.sees.radius === null ? "nearest" : `within ${number(decision.sees.radius, 3)}`}`
: `${list.length} neighbor${list.length === 1 ? "" : "s"}`;
const looks = Wingbeat.parts(decision).some(({ sees }) => sees);
if (list.length === 0)
return looks ? `<p class="note">${isNear ? "No boid is near." : "It sees no boid."}</p>` : "";
return (
`<table><caption>${title}</caption><thead><tr><th scope="col">id</th>` +
`${kinds ? '<th scope="col">species</th>' : ""}<th scope="col">distance</th>
<th scope="col">angle</th><th scope="col">${decision.terms ? "seen by" : ""}</th></tr>` +
`</thead><tbody>${rows.join("")}</tbody></table>${more}`
);
};
return {
shown,
hide() {
panel.hidden = true;
},
show(id, told, following) {
panel.hidden = false;
part("id").textContent = id;
part("follow").setAttribute("aria-pressed", String(following));
part("absent").hidden = told !== null;
part("body").hidden = told === null;
if (!told) return;
part("when").textContent =
`step ${told.step}${told.time === undefined ? "" : `, time ${number(told.time)}`}`;
part("sentence").textContent = told.sentence ? `It ${told.sentence}.` : "";
part("facts").innerHTML = facts(told);
const unfolded = new Set(
[...part("terms").querySelectorAll("details[open]")].map((one) => one.dataset.term),
);
part("terms").innerHTML = termTable(told.decision);
part("terms")
.querySelectorAll("details")
.forEach((one) => (one.open = unfolded.has(one.dataset.term)));
part("others").innerHTML = Wingbeat.othersTold(told, { number, vector, size, pick, escape });
part("neighbors").innerHTML = neighborTable(told.decision, told.boid);
part("note").textContent = told.note ?? "";
part("command").textContent = told.command ?? "";
part("command").hidden = !told.command;
this.recolor();
},
recolor() {
const dark = document.documentElement.dataset.theme === "dark";
panel.querySelectorAll(".swatch").forEach((one) => {
one.style.background = Wingbeat.css(Wingbeat.termColor(one.dataset.term, dark));
one.title = one.dataset.term;
});
},
};
};
Wingbeat.make = (tag, settings = {}, ...children) => {
const element = document.createElement(tag);
for (const [name, value] of Object.entries(settings)) {
if (name in element) element[name] = value;
else element.setAttribute(name, value);
}
element.append(...children);
return element;
};
Wingbeat.sheets = (() => {
const closers = new Map();
return {
narrow: window.matchMedia("(max-width: 760px)"),
set: (name, close) => closers.set(name, close),
opened(name) {
if (!this.narrow.matches) return;
for (const [other, close] of closers) if (other !== name) close();
},
};
})();
Wingbeat.markdown = (text) => {
const MARKS =
/\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\))+)\)/g;
const { make } = Wingbeat;
const marked = ([, strong, emphasis, code, words, address]) => {
if (strong) return make("strong", {}, strong);
if (emphasis) return make("em", {}, emphasis);
if (code) return make("code", {}, code);
return make("a", { href: address, target: "_blank", rel: "noopener" }, words);
};
return text
.split(/\n\s*\n/)
.map((part) => part.replace(/\s+/g, " ").trim())
.filter(Boolean)
.map((part) => {
const paragraph = make("p");
let end = 0;
for (const match of part.matchAll(MARKS)) {
paragraph.append(part.slice(end, match.index), marked(match));
end = match.index + match[0].length;
}
paragraph.append(part.slice(end));
return paragraph;
});
};
Wingbeat.panel = (connection, source, player, kept = null) => {
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10, 30, 100, 1e6];
const RULES = Wingbeat.rules.map(({ name }) => name);
const OPEN = [...RULES, "agent", "model"];
const TITLES = {
flock: "Flock",
spawn: "Start",
domain: "World",
initial: "Initial state",
agent: "Boid",
neighborhood: "Neighborhood",
grid: "Grid",
};
const MOST_OF_MODEL = 3;
const PEOPLE = ["agent.max_speed", "anticipation.time_gap", "body.radius"];
const readable = (name) => name.replaceAll("_", " ");
const { make } = Wingbeat;
const sectionOf = (key) => key.slice(0, key.indexOf("."));
const icon = (path) => {
const holder = make("span");
holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
return holder.firstChild;
};
const rate = make("output", { className: "rate", title: "Steps the engine makes in a second" });
const speed = make("select", {
title: "How much faster than the scene's own time",
"aria-label": "Speed",
});
const seed = make("input", {
inputMode: "numeric",
autocomplete: "off",
"aria-label": "Seed",
title: "Key of all randomness; holds from the next reset on",
});
const dice = make(
"button",
{ type: "button", title: "Another seed, and reset", "aria-label": "Another seed, and reset" },
icon("M5 5h14v14H5zM9 9v.1M15 15v.1M12 12v.1"),
);
const reset = make(
"button",
{ type: "button", className: "main", title: "Build the flock anew from the scene as tuned" },
"Reset",
);
const save = make(
"button",
{ type: "button", title: "The scene with these values, as TOML" },
"Save scene",
);
const waits = make("p", { className: "waits note", role: "status" });
const warnings = make("ul", { className: "warnings" });
const groups = make("div", { className: "groups" });
const close = make(
"button",
{ type: "button", "aria-label": "Close", title: "Close" },
icon("M6 6l12 12M18 6L6 18"),
);
const words = make("div", { className: "words" });
const first = make("div", { className: "first" });
const more = make(
"details", { className: "more" }, make("summary", {}, "More"),
make(
"div", { className: "row" },
make("label", { className: "wide" }, "Seed", seed, dice), save,
),
groups,
);
const panel = make(
"aside", { className: "card panel", id: "panel", "aria-label": "The scene's parameters" },
make("header", {}, make("h2", {}, "Parameters"), rate, close),
make(
"div", { className: "body" }, words, first,
make(
"div", { className: "row" },
make("label", { className: "wide" }, "Speed", speed), reset,
),
waits, warnings, more,
),
);
const toggle = make(
"button",
{
type: "button",
id: "sliders",
"aria-label": "Parameters",
title: "Parameters (P)",
"aria-controls": "panel",
},
icon("M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4"),
);
document.querySelector(".tools").prepend(toggle);
document.getElementById("extra").append(panel);
const open = (wide) => {
panel.hidden = !wide;
toggle.setAttribute("aria-expanded", String(wide));
document.body.classList.toggle("tuning", wide);
if (wide) Wingbeat.sheets.opened("panel");
player?.resized();
};
Wingbeat.sheets.set("panel", () => !panel.hidden && open(false));
const isLesson = ({ text, sliders } = {}) => Boolean(text) || sliders?.length > 0;
open(kept?.isOpen ?? (isLesson(source.lesson) || !Wingbeat.sheets.narrow.matches));
toggle.addEventListener("click", () => open(panel.hidden));
close.addEventListener("click", () => open(false));
panel.addEventListener("keydown", (event) => {
if (event.key !== "Escape") event.stopPropagation();
});
const over = new AbortController();
document.addEventListener("keydown", (event) => {
if (
event.key.toLowerCase() === "p" &&
!event.ctrlKey &&
!event.metaKey &&
!event.altKey &&
!event.target.matches("input, textarea, select")
)
open(panel.hidden);
}, { signal: over.signal });
const showError = (error) => {
waits.textContent = error.message;
waits.classList.add("error");
};
const ask = (request) => connection.ask(request).catch(showError);
for (const factor of SPEEDS)
speed.add(new Option(factor === 1e6 ? "as fast as it can" : `${factor}×`, factor));
speed.addEventListener("change", () => ask({ do: "speed", factor: Number(speed.value) }));
reset.addEventListener("click", () => ask({ do: "reset" }));
save.addEventListener("click", async () => {
const link = make("a", {
href: URL.createObjectURL(new Blob([await connection.toml()], { type: "application/toml" })),
download: `${source.title.replace(/\.toml$/, "")}-tuned.toml`,
});
link.click();
setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
const reseed = () => ask({ do: "set", key: "flock.seed", value: seed.value.trim() });
seed.addEventListener("change", reseed);
dice.addEventListener("click", async () => {
seed.value = String(Math.floor(Math.random() * 1e6));
if (await reseed()) ask({ do: "reset" });
});
const rows = new Map();
const row = (control, isFirst) => {
const { key } = control;
const section = sectionOf(key);
const own = readable(key.slice(key.indexOf(".") + 1));
const name = isFirst ? Wingbeat.keyInWords(key) : own;
const numeric = control.kind === "number" || control.kind === "whole";
const about = make("p", { className: "note about", id: `about-${key}`, hidden: true });
const picture = Wingbeat.pictures[key.split(".").pop()];
const shows = picture
? [make("img", { className: "picture", src: picture, alt: "", hidden: true })]
: [];
const error = make("p", { className: "error", role: "alert", hidden: true });
const unit =
["1", own].includes(control.unit) ? "" : Wingbeat.spelled(control.unit, source);
const tag = make("span", { className: "tag", title: "Holds from the next reset on" }, "reset");
const title = make(
"button",
{ type: "button", className: "name", "aria-expanded": "false" },
name,
make("small", {}, ` ${unit}`),
tag,
);
title.addEventListener("click", () => {
about.hidden = !about.hidden;
shows.forEach((image) => (image.hidden = about.hidden));
title.setAttribute("aria-expanded", String(!about.hidden));
});
let box;
let slider = null;
if (control.kind === "choice") {
box = make("select");
control.choices.forEach((choice) => box.add(new Option(readable(choice), choice)));
} else if (control.kind === "flag") {
box = make("input", { type: "checkbox", className: "switch" });
} else {
box = make("input", {
autocomplete: "off",
spellcheck: false,
className: numeric ? "number" : "text",
placeholder: control.default,
});
if (numeric) box.inputMode = "decimal";
if (numeric && control.slider) slider = make("input", { type: "range" });
}
box.dataset.key = key;
box.setAttribute("aria-label", `${readable(key.replace(".", " "))}${unit && `, ${unit}`}`);
box.setAttribute("aria-describedby", about.id);
if (slider) {
slider.dataset.slider = key;
slider.setAttribute("aria-label", box.getAttribute("aria-label"));
}
const element = make(
"div",
{ className: `control ${control.kind}` },
title,
box,
...(slider ? [slider] : []),
about,
...shows,
error,
);
let [sending, wanted, held, shown] = [false, null, false, control];
const send = async (value) => {
wanted = value;
if (sending) return;
sending = true;
while (wanted !== null) {
const next = wanted;
wanted = null;
try {
await connection.ask({ do: "set", key, value: next });
error.hidden = true;
} catch (refusal) {
error.textContent = refusal.message;
error.hidden = false;
if (slider && wanted === null && shown.value !== null) slider.value = shown.value;
}
}
sending = false;
if (error.hidden) write();
if (source.still && player && player.state.chosen !== null) player.pick(player.state.chosen);
};
const toml = (value) =>
Array.isArray(value)
? `[${value.map((one) => (typeof one === "string" ? `"${one}"` : toml(one))).join(", ")}]`
: String(value);
const write = () => {
if (held || sending) return;
const { value } = shown;
if (control.kind === "flag") box.checked = value === true;
else if (document.activeElement !== box || !box.matches("input"))
box.value = value === null ? "" : toml(value);
if (slider && value !== null) slider.value = value;
};
if (control.kind === "flag") box.addEventListener("change", () => send(String(box.checked)));
else if (control.kind === "choice")
box.addEventListener("change", () => send(`"${box.value}"`));
else
box.addEventListener(
"change",
() =>
box.value.trim() !== "" &&
send(control.kind === "text" ? JSON.stringify(box.value) : box.value.trim()),
);
slider?.addEventListener("input", () => {
held = true;
box.value = slider.value;
send(slider.value);
});
slider?.addEventListener("change", () => {
held = false;
write();
});
if (key.startsWith("initial.") || key.endsWith(".file"))
for (const input of slider ? [box, slider] : [box]) input.disabled = true;
return {
element,
show(next) {
shown = next;
tag.hidden = next.effect !== "rebuild";
tag.classList.toggle("pending", next.pending);
element.classList.toggle("given", next.given);
const range = next.allowed ? ` Allowed: ${Wingbeat.range(next.allowed)}.` : "";
about.textContent = `${next.about} Default: ${next.default}.${range}`;
title.title = about.textContent;
if (slider)
[slider.min, slider.max, slider.step] = [
next.slider?.min ?? 0,
next.slider?.max ?? 1,
"any",
];
if (slider && next.slider) {
slider.step = next.slider.step;
}
write();
},
};
};
let [laidOutFor, current] = [null, null];
const firstOf = ({ lesson, controls }) => {
if (lesson.sliders.length > 0) return lesson.sliders;
const weights = RULES.map((rule) => `${rule}.weight`);
const isFirst = ({ key, slider }) =>
slider && (weights.includes(key) || sectionOf(key) === "model");
const keys = controls.filter(isFirst).map(({ key }) => key);
const ofModel = keys.filter((key) => !weights.includes(key)).slice(0, MOST_OF_MODEL);
const ofPeople = PEOPLE.filter((key) => controls.some((one) => one.key === key && one.slider));
const [found] = [ofModel, keys, ofPeople].filter(({ length }) => length > 0);
return (found ?? []).map((key) => [key, ""]);
};
const layOutFirst = (state) => {
words.replaceChildren(...Wingbeat.markdown(state.lesson.text));
const chosen = firstOf(state).flatMap(([key, note]) => {
const control = state.controls.find((one) => one.key === key);
if (!control) return [];
rows.set(key, row(control, true));
const { element } = rows.get(key);
return note ? [element, make("p", { className: "note" }, note)] : [element];
});
first.replaceChildren(...chosen);
const folds = isLesson(state.lesson);
if (more.classList.toggle("plain", !folds) || laidOutFor === null)
more.open = !folds || (kept?.isMore ?? false);
if (folds) more.prepend(warnings);
else more.before(warnings);
};
const layOut = (state) => {
rows.clear();
layOutFirst(state);
const sections = new Map(
[...rows.keys()].map(sectionOf).filter((key) => RULES.includes(key)).map((key) => [key, []]),
);
for (const control of state.controls) {
if (control.key === "flock.seed" || rows.has(control.key)) continue;
const section = sectionOf(control.key);
if (!sections.has(section)) sections.set(section, []);
sections.get(section).push(control);
}
for (const rule of state.absent) sections.set(rule, []);
const order = [
"model", ...RULES, "agent", "neighborhood", "flock", "domain", "spawn", "initial", "grid",
];
const was = new Map([...groups.children].map((group) => [group.dataset.section, group.open]));
const place = (section) =>
(order.indexOf(section) + order.length + 1) % (order.length + 1) +
(state.absent.includes(section) ? 2 * order.length : 0);
groups.replaceChildren(...[...sections].sort(
([a], [b]) => place(a) - place(b),
).map(([section, controls]) => {
const absent = state.absent.includes(section);
const heading = make(
"summary", {}, TITLES[section] ?? section[0].toUpperCase() + section.slice(1),
);
if (RULES.includes(section)) {
const present = make("input", {
type: "checkbox", className: "switch", checked: !absent,
"aria-label": `${section} on or off`, title: "On or off",
});
present.dataset.rule = section;
present.addEventListener("click", (event) => event.stopPropagation());
present.addEventListener("change", () => {
ask(
present.checked
? { do: "set", key: `${section}.weight`, value: "1" }
: { do: "remove", rule: section },
).then(() => (present.checked = !current.absent.includes(section)));
});
heading.append(present);
}
const group = make(
"details",
{
open:
was.get(section) ??
kept?.unfolded.includes(section) ??
(OPEN.includes(section) && !absent),
},
heading,
);
group.dataset.section = section;
for (const control of controls) {
rows.set(control.key, row(control, false));
group.append(rows.get(control.key).element);
}
if (absent) group.append(make("p", { className: "note" }, "Not in this scene."));
return group;
}));
};
const rates = setInterval(() => {
rate.textContent =
source.rate > 0
? `${source.rate >= 10 ? Math.round(source.rate) : source.rate.toFixed(1)} steps/s`
: "";
}, 500);
return {
remove() {
over.abort();
clearInterval(rates);
panel.remove();
toggle.remove();
document.body.classList.remove("tuning");
},
left: () => ({
isOpen: !panel.hidden,
isMore: more.open,
unfolded: [...groups.children]
.filter((group) => group.open)
.map((group) => group.dataset.section),
}),
show(state) {
current = state;
const keys = JSON.stringify([
state.controls.map(({ key, kind, slider }) => [key, kind, slider !== null]),
state.absent,
state.lesson,
]);
if (keys !== laidOutFor) layOut(state);
laidOutFor = keys;
state.controls.forEach((control) => rows.get(control.key)?.show(control));
const own = state.controls.find(({ key }) => key === "flock.seed");
if (document.activeElement !== seed) seed.value = own.value;
if (![...speed.options].some((option) => Number(option.value) === state.speed))
speed.add(new Option(`${Wingbeat.plain(state.speed, 3)}×`, state.speed));
speed.value = String(state.speed);
const { pending } = state;
waits.classList.remove("error");
waits.textContent =
pending.length === 0 ? "" : `Waits for Reset: ${pending.map(readable).join(", ")}`;
reset.classList.toggle("due", pending.length > 0);
warnings.replaceChildren(...state.warnings.map((text) => make("li", {}, text)));
},
};
};
Wingbeat.controls = (player, source, signal) => {
const get = (id) => document.getElementById(id);
const RATES = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const on = (element, event, act) => element.addEventListener(event, act, { signal });
const segments = (group, title, choices, chosen, choose) => {
const name = document.createElement("span");
name.textContent = title;
name.setAttribute("aria-hidden", "true");
const buttons = choices.map(([value, text]) => {
const button = document.createElement("button");
button.type = "button";
button.textContent = text;
button.dataset.value = value;
button.setAttribute("role", "radio");
button.addEventListener("click", () => set(value, true));
return button;
});
const set = (value, tell) => {
chosen = value;
for (const button of buttons) {
const on = button.dataset.value === value;
button.setAttribute("aria-checked", String(on));
button.tabIndex = on ? 0 : -1;
}
if (tell) choose(value);
};
const step = (by, focus) => {
const at = choices.findIndex(([value]) => value === chosen);
const next = (at + by + choices.length) % choices.length;
set(choices[next][0], true);
if (focus) buttons[next].focus();
};
on(group, "keydown", (event) => {
const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
if (!by) return;
event.preventDefault();
event.stopPropagation();
step(by, true);
});
group.replaceChildren(name, ...buttons);
set(chosen, false);
return { next: () => step(1, false) };
};
const colors = [["heading", "Heading"], ["speed", "Speed"]];
if (source.species) colors.push(["species", "Species"]);
const color = segments(get("color"), "Color", colors, player.look.color, (value) =>
player.set({ color: value }),
);
const lengths = [["off", "Off"], ["short", "Short"], ["long", "Long"]];
const trails = segments(get("trails"), "Trails", lengths, player.look.trails, (value) =>
player.set({ trails: value }),
);
const speed = get("speed");
speed.replaceChildren();
RATES.forEach((rate) => speed.add(new Option(`${rate}×`, rate, false, rate === 1)));
const faster = (by) => {
speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), RATES.length - 1);
player.set({ rate: Number(speed.value) });
};
on(speed, "change", () => player.set({ rate: Number(speed.value) }));
const theme = (dark) => {
document.documentElement.dataset.theme = dark ? "dark" : "light";
player.set({ dark });
};
const prefers = window.matchMedia("(prefers-color-scheme: light)");
theme(player.look.dark ?? !prefers.matches);
on(prefers, "change", () => theme(!prefers.matches));
const scrub = get("scrub");
on(scrub, "input", () => player.seek(Number(scrub.value)));
on(scrub, "change", () => player.link());
scrub.hidden = source.live;
get("back").hidden = source.live;
get("forth").hidden = source.live && !source.advance;
get("play").hidden = source.live && !source.play;
speed.parentElement.hidden = source.live;
const leads = source.goBack ?? source.takeOver;
const fly = get("fly");
fly.hidden = !leads;
fly.innerHTML = source.goBack
? "Back<small> to the recording</small>"
: "Fly on<small> from here</small>";
fly.title = source.goBack
? "Back to the recording (L)"
: "The engine in this page goes on from this moment, with sliders (L)";
if (leads) on(fly, "click", () => leads());
on(get("play"), "click", () => player.toggle());
on(get("back"), "click", () => player.step(-1));
on(get("forth"), "click", () => player.step(1));
on(get("home"), "click", () => player.home());
on(get("theme"), "click", () => theme(!player.look.dark));
on(get("help"), "click", () => get("keys").showModal());
on(get("find"), "submit", (event) => {
event.preventDefault();
const id = Number(get("find-id").value.trim());
if (get("find-id").value.trim() !== "" && Number.isInteger(id) && id >= 0) player.pick(id);
});
const keys = {
" ": () => player.toggle(),
ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
Home: () => player.seek(-Infinity),
End: () => player.seek(Infinity),
"+": () => faster(1),
"=": () => faster(1),
"-": () => faster(-1),
"−": () => faster(-1),
c: () => color.next(),
t: () => trails.next(),
"[": () => player.set({ scale: player.look.scale / 1.25 }),
"]": () => player.set({ scale: player.look.scale * 1.25 }),
r: () => player.home(),
f: () => player.follow(),
n: () => player.pickMiddle(),
d: () => theme(!player.look.dark),
s: () => player.save.picture(),
l: () => leads?.(),
"?": () => get("keys").showModal(),
Escape: () => player.pick(null),
};
on(document, "keydown", (event) => {
if (event.ctrlKey || event.metaKey || event.altKey || get("keys").open) return;
const inside = event.target;
if (inside.matches("input:not([type=range]), textarea") && event.key !== "Escape") return;
if (inside.matches("select") && /^(Arrow|Home|End| )/.test(event.key)) return;
if (event.key === " " && inside.matches("button")) return;
const act = keys[event.key] ?? keys[event.key.toLowerCase()];
if (!act) return;
event.preventDefault();
act(event);
});
const many = (count) => count.toLocaleString("en");
get("title").textContent = source.title;
get("title").title = source.about || "";
const where = source.dimensions === 2 ? "in the plane" : "in space";
const subtitle = (boids) => {
const people = boids === 1 ? "person" : "people";
const counted = source.noun === "people" ? people : `boid${boids === 1 ? "" : "s"}`;
return `${many(boids)} ${counted} ${where} · ${length}`;
};
const length = source.live
? "live"
: `${many(source.frames())} frame${source.frames() === 1 ? "" : "s"}`;
get("about-data").textContent = [
source.about && `${source.title}: ${source.about}.`,
...(source.notes ?? []),
]
.filter(Boolean)
.join(" · ");
return {
show({ playing, now, step, boids, waiting, error }) {
const counted = subtitle(boids);
if (get("subtitle").textContent !== counted) get("subtitle").textContent = counted;
document.body.classList.toggle("playing", playing);
get("play").setAttribute("aria-label", playing ? "Pause" : "Play");
if (document.activeElement !== scrub || playing) scrub.value = now;
const text = `${Wingbeat.digits(now, 4)}<small>step ${step ?? "–"}</small>`;
if (get("clock").dataset.text !== text) {
get("clock").innerHTML = text;
get("clock").dataset.text = text;
scrub.setAttribute("aria-valuetext", `time ${Wingbeat.digits(now, 4)}`);
}
const status = error ?? source.working ?? (waiting ? "Reading the recording …" : null);
get("status").hidden = status === null;
if (status !== null && get("status").textContent !== status)
get("status").textContent = status;
},
span([first, last]) {
[scrub.min, scrub.max] = [first, last > first ? last : first + 1];
},
};
};
Wingbeat.linked = () => {
const named = new URLSearchParams(location.hash.slice(1));
const number = (name, holds) => {
const value = Number(named.get(name) ?? NaN);
return holds(value) ? value : null;
};
return {
time: number("t", Number.isFinite),
boid: number("boid", (id) => Number.isInteger(id) && id >= 0),
};
};
Wingbeat.save = (player, source, signal) => {
const MOST_SECONDS = 600;
const menu = document.getElementById("save");
const part = (name) => menu.querySelector(`[data-save="${name}"]`);
const name = source.title.replace(/\.toml$/, "").replace(/\W+/g, "-") || "flock";
const give = (blob, ending) => {
const link = document.createElement("a");
link.href = URL.createObjectURL(blob);
link.download = `${name}${ending}`;
link.click();
setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const csv = (rows) =>
new Blob([rows.map((row) => row.join(",")).join("\n"), "\n"], { type: "text/csv" });
const note = (text) => {
const status = document.getElementById("saved");
status.textContent = text;
status.hidden = false;
clearTimeout(status.timer);
status.timer = setTimeout(() => (status.hidden = true), 4000);
};
const link = () => {
const named = new URLSearchParams();
if (!source.live) named.set("t", Wingbeat.digits(player.state.now, 5));
if (player.state.chosen !== null) named.set("boid", player.state.chosen);
const scene = Wingbeat.sharedScene?.();
if (scene) named.set("scene", scene);
const text = named.toString();
history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
return location.href;
};
let film = null;
const stopFilm = () => film?.state === "recording" && film.stop();
const acts = {
picture: () => player.picture().toBlob((blob) => give(blob, ".png")),
curves() {
const { time, names, values } = source.observables;
const cell = (x) => (x === null || x === undefined ? "" : x);
give(
csv([
["time", ...names],
...time.map((t, k) => [t, ...values.map((column) => cell(column[k]))]),
]),
"-curves.csv",
);
},
frame() {
const frame = player.frame();
if (!frame) return;
const axes = ["x", "y", "z"].slice(0, source.dimensions);
const kinds = source.species && frame.species;
const text = (x) => {
if (Number.isNaN(x)) return "";
let [short, digits] = [NaN, 0];
while (Math.fround(short) !== x && digits < 9) short = Number(x.toPrecision(++digits));
return String(short);
};
const row = (id, i) => [
id, ...(kinds ? [source.species[frame.species[i]]] : []),
...axes.map((_, a) => text(frame.position[3 * i + a])),
...axes.map((_, a) => text(frame.velocity[3 * i + a])),
];
const header = [
"id",
...(kinds ? ["species"] : []),
...axes,
...axes.map((axis) => `v${axis}`),
];
give(csv([header, ...Array.from(frame.ids, row)]), `-step-${frame.step}.csv`);
},
film() {
if (film) return stopFilm();
const canvas = player.picture();
const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) =>
window.MediaRecorder?.isTypeSupported(one),
);
if (!type || !canvas.captureStream) return note("This browser cannot record a film.");
film = new MediaRecorder(canvas.captureStream(30), {
mimeType: type,
videoBitsPerSecond: 12e6,
});
const pieces = [];
film.ondataavailable = ({ data }) => pieces.push(data);
film.onstop = () => {
film = null;
part("film").textContent = "Record a film";
give(new Blob(pieces, { type }), type.includes("mp4") ? ".mp4" : ".webm");
};
film.start(1000);
setTimeout(stopFilm, 1000 * MOST_SECONDS);
part("film").textContent = "Stop the film";
note("Recording. Choose it again to stop.");
},
async link() {
const address = link();
const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
note(
copied
? "A link to this moment was copied."
: "The address of this page leads to this moment.",
);
},
};
part("curves").hidden = !source.observables;
part("film").textContent = "Record a film";
for (const button of menu.querySelectorAll("[data-save]")) {
button.addEventListener("click", () => {
menu.open = false;
acts[button.dataset.save]();
}, { signal });
}
document.addEventListener(
"click",
(event) => menu.open && !menu.contains(event.target) && (menu.open = false),
{ signal },
);
signal.addEventListener("abort", stopFilm);
window.addEventListener("hashchange", () => {
const { time, boid } = Wingbeat.linked();
if (time !== null) player.seek(time);
if (boid !== null) player.pick(boid);
}, { signal });
player.save = acts;
player.link = link;
};
Wingbeat.start = (source, before = null, moment = {}) => {
const canvas = document.getElementById("view");
const status = document.getElementById("status");
const fail = (text) => {
status.hidden = false;
status.textContent = text;
};
let renderer;
try {
renderer = Wingbeat.renderer(canvas, source);
} catch (error) {
fail(`The picture cannot be drawn here: ${error.message}`);
throw error;
}
if (!renderer) {
fail("The picture cannot be drawn: this browser offers no WebGL 2 here.");
return null;
}
const pairs = Wingbeat.pairs(renderer.gl);
const over = new AbortController();
const { signal } = over;
const isSame = before?.source.dimensions === source.dimensions;
const camera = isSame ? before.camera : Wingbeat.camera(source.dimensions);
const overlay = Wingbeat.overlay(source);
const places = Wingbeat.places(source, canvas, signal);
const legend = Wingbeat.legend(
document.getElementById("key"),
source,
() => resize(true),
signal,
);
const chart = Wingbeat.chart(
document.getElementById("chart"),
document.getElementById("legend"),
source,
signal,
);
const flat = source.dimensions === 2;
const { vec } = Wingbeat;
const count = () => source.frames() ?? source.latest + 1;
const [first, last] = source.live ? [0, 1] : [source.time(0), source.time(source.frames() - 1)];
const duration = last - first;
const natural = duration >= 4 && duration <= 180 ? 1 : duration / 30;
const OPENING = 0.25;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const linked = Wingbeat.linked();
const opening = moment.now ?? linked.time ?? (before ? first : first + OPENING * duration);
const state = {
now: Math.min(Math.max(opening, first), last),
playing: source.live || (!calm && !before && linked.time === null && count() > 1),
rate: 1,
chosen: before ? before.state.chosen : linked.boid,
following: isSame && before.state.following,
told: undefined,
toldAt: null,
};
const look = before?.look ?? {
color: source.species ? "species" : "heading",
trails: source.boids <= 3000 ? "short" : "off",
dark: null,
scale: 1,
};
if (look.color === "species" && !source.species) look.color = "heading";
const live = { came: 0, every: 100 };
let [dirty, touched, clockBefore, shown, few, nearer] = [true, isSame, null, null, null, null];
const bounds = source.bounds;
const spacing = (() => {
const sides = vec
.sub(bounds.max, bounds.min)
.slice(0, source.dimensions)
.map((x) => Math.max(x, 1e-9));
return (
(sides.reduce((a, b) => a * b, 1) / Math.max(1, source.boids)) ** (1 / source.dimensions)
);
})();
const side = spacing * Math.max(1, source.boids) ** (1 / source.dimensions);
const lengthOf = Wingbeat.sizes(source, spacing);
const player = {
source,
look,
state,
camera,
set(changes) {
if ("rate" in changes) state.rate = changes.rate;
Object.assign(look, changes);
inspector.recolor();
[dirty, chart.stale] = [true, true];
},
toggle() {
if (source.live) {
state.playing = !state.playing;
source[state.playing ? "play" : "pause"]?.();
} else {
if (!state.playing && state.now >= last) state.now = first;
state.playing = !state.playing && duration > 0;
}
dirty = true;
},
seek(time) {
if (source.live) return;
state.now = Math.min(Math.max(time, first), last);
if (state.now === last) state.playing = false;
dirty = true;
},
stepShown: () => source.step(frameShown()),
redraw: () => (dirty = true),
resized: () => resize(true),
stop() {
over.abort();
pairs.drop();
few?.drop();
},
step(by) {
if (source.live) return source.advance?.();
state.playing = false;
const i =
indexAt(state.now) +
(by < 0 && state.now > source.time(indexAt(state.now)) + 1e-9 * duration ? by + 1 : by);
player.seek(source.time(Math.min(Math.max(i, 0), count() - 1)));
},
home() {
[state.following, touched] = [false, false];
resize(true);
explain(true);
dirty = true;
},
follow() {
state.following = state.chosen !== null && !state.following;
const decision = state.told?.decision;
const radii = (decision ? Wingbeat.parts(decision) : []).map(
(term) => term.sees?.radius ?? 0,
);
touched ||= state.following;
nearer = state.following
? Math.max(Math.max(0, ...radii) * (flat ? 5 : 9), spacing * (flat ? 6 : 12))
: null;
explain(true);
dirty = true;
},
pick(id) {
state.chosen = id;
invitation.hidden = true;
if (id === null) {
[state.following, state.told] = [false, undefined];
inspector.hide();
measure();
} else {
Wingbeat.sheets.opened("inspector");
}
explain(true);
dirty = true;
},
picture() {
if (shown) draw();
return canvas;
},
frame: () => source.frame(frameShown()),
pickMiddle() {
const id = pickAt([canvas.clientWidth / 2, canvas.clientHeight / 2], Infinity);
if (id !== null) player.pick(id);
},
};
const inspector = Wingbeat.inspector(document.getElementById("inspector"), source, {
changed: () => (dirty = true),
closed: () => player.pick(null),
followed: () => player.follow(),
picked: (id) => player.pick(id),
}, signal);
Wingbeat.sheets.set("inspector", () => state.chosen !== null && player.pick(null));
const controls = Wingbeat.controls(player, source, signal);
Wingbeat.save(player, source, signal);
const indexAt = (time) => {
let [low, high] = [0, count() - 1];
while (low < high) {
const middle = (low + high + 1) >> 1;
if (source.time(middle) <= time) low = middle;
else high = middle - 1;
}
return low;
};
const find = (clock) => {
if (source.live) {
if (source.latest < 0) return null;
const b = source.frame(source.latest);
const a = source.frame(source.latest - 1) ?? b;
return {
i: a === b ? source.latest : source.latest - 1,
a,
b,
part: a === b ? 0 : Math.min((clock - live.came) / live.every, 1),
};
}
const i = Math.max(0, Math.min(indexAt(state.now), count() - 2));
const a = source.frame(i);
const b = count() > 1 ? source.frame(i + 1) : a;
if (!a || !b) return null;
return {
i,
a,
b,
part:
b.time > a.time ? Math.min(Math.max((state.now - a.time) / (b.time - a.time), 0), 1) : 0,
};
};
const frameShown = () => shown && (shown.part >= 1 ? shown.i + 1 : shown.i);
let asked = 0;
const explain = async (again) => {
const i = frameShown();
if (state.chosen === null || i === null || (!again && state.toldAt === i)) return;
state.toldAt = i;
const [id, question] = [state.chosen, ++asked];
const told = await source.explain(id, i);
if (question !== asked || state.chosen !== id) return;
state.told = told;
inspector.show(id, told, state.following);
measure();
dirty = true;
};
const pickAt = ([x, y], reach) => {
if (!shown) return null;
let [best, least] = [null, Infinity];
const { pair } = shown;
for (let i = 0; i < pair.count; i++) {
const [p] = Wingbeat.between(pair, i, shown.part, source);
const at = camera.screen(p);
if (!at) continue;
const away = Math.hypot(at[0] - x, at[1] - y);
const rank = away + (flat ? 0 : 6 * at[2]);
if (away <= reach && rank < least) [best, least] = [pair.ids[i], rank];
}
return best;
};
Wingbeat.hands(canvas, camera, source.dimensions, {
moved(panned) {
if (panned) state.following = false;
[dirty, touched] = [true, true];
},
tapped: (at) => player.pick(pickAt(at, 26)),
}, signal);
const { narrow } = Wingbeat.sheets;
const measure = () => {
const dock = document.querySelector(".dock").offsetHeight;
document.documentElement.style.setProperty("--dock", `${dock}px`);
const key = document.getElementById("key").offsetHeight;
const heading = document.querySelector(".heading").offsetHeight;
document.documentElement.style.setProperty("--heading", `${heading}px`);
const wide = (id) => {
const card = document.getElementById(id);
return card && !card.hidden ? card : null;
};
const [parameters, editor] = [wide("panel"), wide("editor")];
const sides = narrow.matches
? [0, 0]
: [
parameters ? parameters.offsetLeft + parameters.offsetWidth : 0,
editor ? canvas.clientWidth - editor.offsetLeft : 0,
];
[camera.left, camera.rightCovered] = sides;
const { style } = document.documentElement;
style.setProperty("--middle", `${(canvas.clientWidth + sides[0] - sides[1]) / 2}px`);
const tools = document.querySelector(".tools").offsetHeight;
camera.top = narrow.matches ? heading + tools + 18 : tools + 18;
camera.covered = dock + 14 + (key > 0 ? key + 8 : 0);
const sheet = wide("inspector") ?? parameters ?? editor;
if (narrow.matches && sheet) camera.covered += sheet.offsetHeight + 8;
};
const resize = (again) => {
const dpr = Math.min(window.devicePixelRatio || 1, 2);
const [width, height] = [canvas.clientWidth, canvas.clientHeight];
const [wide, high] = [Math.round(width * dpr), Math.round(height * dpr)];
if (canvas.width === wide && canvas.height === high && !again) return;
[canvas.width, canvas.height] = [wide, high];
measure();
camera.update(width, height);
if (!touched) camera.fit(bounds, width, height);
dirty = true;
};
const resized = new ResizeObserver(() => resize(true));
resized.observe(document.querySelector(".dock"));
signal.addEventListener("abort", () => resized.disconnect());
const trailPairs = (i) => {
if (look.trails === "off") return [];
const speed = Math.max((source.speeds[0] + source.speeds[1]) / 2, 1e-12);
const way = speed * (shown.pair.span || 1);
const [spacings, share] = look.trails === "short" ? [3, 0.1] : [14, 0.4];
const length = Math.max(Math.min(spacings * spacing, share * side), 3 * lengthOf(shown.pair.a));
const wanted = Math.max(2, length / way);
const corners = source.boids <= 2000 ? 6 : 2;
const most = Math.max(2, Math.min(30, 200000 / (corners * Math.max(1, source.boids))));
const stride = Math.max(1, Math.ceil(wanted / most), Math.floor(spacing / 4 / way));
const trails = Object.assign([[shown.pair, shown.part]], { corners });
const add = (from, to) => {
const [a, b] = [source.frame(from), source.frame(to)];
if (a && b) trails.unshift([pairs.of(a, b), 1]);
return a && b;
};
let k = i - (i % stride);
if (k < i && !add(k, i)) return trails;
for (; k > 0 && i - k < wanted && trails.length < most; k -= stride)
if (!add(Math.max(k - stride, 0), k)) break;
trails.pieces = Math.max(
1,
Math.min(4, Math.ceil((2 * way * stride) / spacing), Math.floor((2 * most) / trails.length)),
);
return trails;
};
const style = () => {
const { dark } = look;
const dpr = canvas.width / Math.max(canvas.clientWidth, 1);
return {
dark,
dpr,
fog: dark ? [0.06, 0.095, 0.175] : [0.93, 0.945, 0.97],
haze: 0.42,
ink: dark ? [1, 1, 1] : [0.06, 0.09, 0.16],
edge: dark ? [0.55, 0.66, 0.9] : [0.25, 0.35, 0.55],
edgeAlpha: dark ? 0.32 : 0.35,
solid: dark ? (flat ? [0.27, 0.33, 0.45] : [0.42, 0.5, 0.66]) : [0.74, 0.77, 0.82],
solidEdge: dark ? [0.45, 0.53, 0.68] : [0.5, 0.55, 0.64],
solidAlpha: 0.6,
radii: Wingbeat.radiiOf(source),
bodyPixels: 1.5 * dpr,
size: lengthOf(shown.pair.a) * look.scale,
leastPixels: Math.min(9, 13 * (100 / Math.max(source.boids, 30)) ** 0.25) * dpr * look.scale,
dim: state.chosen === null ? 0 : 0.45,
trails:
0.6 + 0.3 * Math.min(Math.max(1 - Math.log10(Math.max(source.boids, 1) / 100) / 2, 0), 1),
colorBy: { heading: 0, speed: 1, species: 2 }[look.color],
};
};
const draw = () => {
const { pair, part, i } = shown;
const marks = style();
const chosen = state.chosen === null ? -1 : Wingbeat.find(pair.ids, state.chosen);
let [lines, faces] = [[], []];
few?.drop();
few = null;
const at = (id) => {
const k = Wingbeat.find(pair.ids, id);
return k < 0 ? null : Wingbeat.between(pair, k, part, source)[0];
};
const own = chosen < 0 ? null : Wingbeat.between(pair, chosen, part, source);
if (own && state.following)
camera.target = vec.add(camera.target, vec.scale(vec.sub(own[0], camera.target), 0.25));
if (own && state.following && vec.norm(vec.sub(own[0], camera.target)) > 0.01 * camera.distance)
dirty = true;
if (nearer !== null && state.following && camera.distance > nearer * 1.01) {
camera.distance += (nearer - camera.distance) * 0.2;
dirty = true;
} else {
nearer = null;
}
camera.update(canvas.clientWidth, canvas.clientHeight);
legend.show(camera, look);
if (own && state.told) {
const over = overlay.explained(
state.told,
own[0],
own[1],
at,
camera,
marks,
inspector.shown,
);
({ lines, faces } = over);
const sees = Wingbeat.parts(state.told.decision).flatMap(
(term) => term.sees?.neighbors ?? [],
);
const ids = [...sees.map((one) => one.id), ...Wingbeat.othersOf(state.told)];
const indices = [...new Set(ids.map((id) => Wingbeat.find(pair.ids, id)))].filter(
(k) => k >= 0,
);
few = pairs.few(pair, [...indices.filter((k) => k !== chosen), chosen]);
}
places.name(camera, look.dark, state.now);
renderer.draw({
camera,
pair,
few,
part,
trails: trailPairs(i),
look: marks,
obstacles: source.obstacles(state.now),
edges: [...overlay.box(marks), ...places.lines(marks, state.now)],
lines,
faces,
only: few ? few.count - 1 : -1,
});
};
const tick = (clock) => {
if (signal.aborted) return;
requestAnimationFrame(tick);
const passed = clockBefore === null ? 0 : Math.min((clock - clockBefore) / 1000, 0.1);
clockBefore = clock;
resize(false);
const ready = find(clock);
if (ready && state.playing && !source.live) {
state.now += passed * natural * state.rate;
if (state.now > last)
state.now = state.now - last > duration ? first : first + (state.now - last);
dirty = true;
}
if (source.live) {
state.now = ready ? ready.a.time + (ready.b.time - ready.a.time) * ready.part : 0;
dirty ||= Boolean(ready) && ready.a !== ready.b && (ready.part < 1 || shown?.part < 1);
}
const found = find(clock);
if (found && (dirty || chart.stale)) {
dirty = false;
shown = { ...found, pair: pairs.of(found.a, found.b) };
explain(false);
draw();
chart.draw(state.now);
player.drawn = (player.drawn ?? 0) + 1;
}
const i = found && (found.part >= 1 ? found.i + 1 : found.i);
const boids = found ? (source.frame(i) ?? found.a).ids.length : source.boids;
controls.show({
...state,
boids,
step: found ? source.step(i) : null,
waiting: !found,
error: source.error(),
});
};
source.onframe = (i) => {
if (source.live) {
const clock = performance.now();
if (live.came > 0) live.every = 0.8 * live.every + 0.2 * Math.min(clock - live.came, 1000);
live.came = clock;
chart.stale = true;
}
dirty = true;
};
controls.span([first, last]);
source.onexplained = () => explain(true);
canvas.addEventListener(
"webglcontextlost",
() => fail("The graphics card gave up: reload the page."),
{ signal },
);
const invitation = document.getElementById("invitation");
invitation.textContent =
source.noun === "people"
? "Press a person to see why they go where they go."
: "Press a boid to see why it goes where it goes.";
invitation.hidden = !source.invites || state.chosen !== null || Boolean(before);
requestAnimationFrame(tick);
document.body.classList.remove("empty");
window.player = player;
return player;
};
Wingbeat.flight = (
connect,
{ world = null, before = null, goBack = null, began = () => {} } = {},
) => {
let [state, source, player, panel, stale, over] = [null, null, before, null, false, false];
const showStatus = (text) => {
const status = document.getElementById("status");
status.hidden = text === null;
status.textContent = text ?? "";
};
const shapeOf = ({ scene, dimensions, bounds, periodic, species, lesson, places }) =>
JSON.stringify([
scene, dimensions, bounds, periodic, species, lesson.title, places.map(({ name }) => name),
]);
let shape = null;
const begin = (frame) => {
const kept = panel?.left();
const was = source?.bounds;
player?.stop();
panel?.remove();
shape = shapeOf(state);
stale = false;
source = Wingbeat.live(connection, state, frame, { goBack });
player = Wingbeat.start(source, player);
if (!player) return;
panel = Wingbeat.panel(connection, source, player, kept);
if (was && JSON.stringify(was) !== JSON.stringify(source.bounds)) player.home();
began(player);
update();
};
let [asked, obstaclesOf] = [0, null];
const observeWorld = async () => {
const own = state.controls.filter(({ key }) => /^(obstacle|floor)\./.test(key));
const key = JSON.stringify([own.map(({ value }) => value), state.domain]);
if (!world || key === obstaclesOf) return;
obstaclesOf = key;
const question = ++asked;
const { scene: name, domain } = state;
const ask = async () => world({ name, toml: await connection.toml(), domain });
const found = own.length === 0 ? null : await ask().catch(() => source.obstacles);
if (question === asked && source) {
source.obstacles = found ?? (() => null);
player?.redraw();
}
};
const update = () => {
if (!panel || over) return;
if (shapeOf(state) !== shape) stale = true;
if (stale) return;
source.still = state.paused;
[source.radii, source.places] = [state.radii, state.places];
player?.redraw();
if (player) player.state.playing = !state.paused;
panel.show(state);
observeWorld();
};
const connection = connect({
state(message) {
state = message;
update();
},
frame(frame) {
if (over) return;
if (!state) throw new Error("a frame before the first state");
if (!source || (stale && frame.run === state.run)) {
obstaclesOf = null;
begin(frame);
} else if (!stale) {
source.take(frame);
}
const drift = source.drift();
if (drift && player && !player.state.following)
player.camera.target = Wingbeat.vec.add(player.camera.target, drift);
requestAnimationFrame(() => connection.next());
},
end() {
if (source) source.end();
else showStatus("The view has ended, or does not know this page.");
},
});
if (!before) showStatus("Waiting for the engine …");
return {
connection,
stop() {
over = true;
panel?.remove();
player?.stop();
return player;
},
};
};
Wingbeat.playRecording = (page) => {
const source = Wingbeat.replaySource(page);
const engine = Wingbeat.engine(page, source.scene);
const status = document.getElementById("status");
let [player, flight, shownAt] = [null, null, 0];
window.engine = engine;
if (engine) {
engine.onprogress = ({ step, wanted }) =>
flight && (source.working = `The engine is at step ${step} of ${wanted} …`);
source.explainedBy = engine;
source.invites = true;
const { name, toml, domain } = source.scene;
engine.world({ name, toml, domain }).then((obstacles) => {
if (obstacles) source.obstacles = obstacles;
player?.redraw();
}, () => {});
source.takeOver = async (play = true) => {
if (flight) return;
shownAt = player.state.now;
flight = Wingbeat.flight(engine.connect, {
world: engine.world,
before: player,
goBack,
began: (other) => (player = other),
});
try {
await engine.takeOff({ step: player.stepShown(), play });
source.working = null;
} catch (error) {
flight = null;
source.working = null;
status.hidden = false;
status.textContent = `The flock cannot take off: ${error.message}`;
}
};
}
const goBack = () => {
engine.land();
player = flight.stop();
flight = null;
player = Wingbeat.start(source, player, { now: shownAt });
};
player = Wingbeat.start(source);
return player;
};
Wingbeat.WARM_UP = 700;
Wingbeat.playScene = (page) => {
const scene = JSON.parse(page.getElementById("scene").textContent);
const engine = Wingbeat.engine(page, scene);
const status = document.getElementById("status");
const say = (text) => {
status.hidden = false;
status.textContent = text;
};
window.engine = engine;
if (!engine) return say("This page runs a flock by itself: it needs WebAssembly and workers.");
Wingbeat.flight(engine.connect, { world: engine.world });
engine
.takeOff({ within: Wingbeat.WARM_UP, most: scene.warm_up })
.catch((error) => say(`The flock cannot take off: ${error.message}`));
return engine;
};

"use strict";
const Wingbeat = {};
// The bytes of a text as src/packed.rs writes them.
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
// A promise of what was packed into them.
Wingbeat.inflated = (text, format = "gzip") =>
  new Response(
    new Blob([Wingbeat.unpacked(text)]).stream().pipeThrough(new DecompressionStream(format)),
  ).arrayBuffer();
// Runs a packed script.
Wingbeat.run = async (text) => {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await Wingbeat.inflated(text));
  document.head.append(script);
};

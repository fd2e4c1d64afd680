// What the chosen boid makes of those it would meet, and who is in the way of its body: two lines
// each at most, as `wingbeat explain` has them.
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

// Ids of those that it looks ahead at or that are in its way.
Wingbeat.othersOf = ({ advance }) => [
  ...new Set([...(advance?.anticipation?.others ?? []), ...(advance?.hindered?.by ?? [])]),
];

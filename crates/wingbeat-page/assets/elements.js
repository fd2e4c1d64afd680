// An element with properties or attributes, and what is in it.
Wingbeat.make = (tag, settings = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

// What covers the flock on a phone: there one is open at a time. Each says how it is closed.
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

// A few sentences of Markdown as paragraphs: *emphasis*, **strong**, `code`, [links](https://…). Of
// HTML in it nothing is taken as such.
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

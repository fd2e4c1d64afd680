// A few sentences of Markdown as paragraphs: *emphasis*, **strong**, `code`, [links](https://…). Of
// HTML in it nothing is taken as such.
Wingbeat.markdown = (text) => {
  const MARKS =
    /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\((https?:\/\/[^\s)]+)\)/g;
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const marked = ([, strong, emphasis, code, words, address]) => {
    if (strong) return make("strong", strong);
    if (emphasis) return make("em", emphasis);
    if (code) return make("code", code);
    return Object.assign(make("a", words), { href: address, target: "_blank", rel: "noopener" });
  };
  return text
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .map((part) => {
      const paragraph = document.createElement("p");
      let end = 0;
      for (const match of part.matchAll(MARKS)) {
        paragraph.append(part.slice(end, match.index), marked(match));
        end = match.index + match[0].length;
      }
      paragraph.append(part.slice(end));
      return paragraph;
    });
};

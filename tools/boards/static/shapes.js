// Elements of SVG and of HTML. Text enters a page by textContent only.

const SVG = "http://www.w3.org/2000/svg";
const TAGS = new Set([
  "circle", "defs", "g", "linearGradient", "path", "polygon", "radialGradient", "rect", "stop",
  "text", "title",
]);

export function find(id) {
  return document.getElementById(id);
}

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Build a shape as tools/boards/shapes.py describes it.
export function draw([tag, attributes, words, children]) {
  if (!TAGS.has(tag)) throw new Error(`no such shape: ${tag}`);
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (words) element.textContent = words;
  element.append(...children.map(draw));
  return element;
}

export function shape(tag, attributes) {
  return draw([tag, attributes, "", []]);
}

export function svg(attributes, shapes) {
  const element = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...shapes.map(draw));
  return element;
}

// The gradients that all pictures of a page refer to.
export function define(definitions) {
  if (document.querySelector(".definitions")) return;
  document.body.prepend(svg({ class: "definitions", width: 0, height: 0 }, [definitions]));
}

// Elements of the page. Text enters the page by textContent only.

import { say } from "./texts.js";

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

export function button(key, action, attributes = {}, values = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, say(key, values));
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

function svg(attributes, shapes) {
  const element = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...shapes.map(draw));
  return element;
}

// A picture of a position that only has to be looked at.
export function thumbnail(picture) {
  const viewBox = `0 0 ${picture.width} ${picture.height}`;
  return svg({ class: "board", viewBox, "aria-hidden": "true" }, [...picture.board, ...picture.pieces]);
}

// The gradients that all pictures of the page refer to.
export function define(definitions) {
  if (document.querySelector(".definitions")) return;
  document.body.prepend(svg({ class: "definitions", width: 0, height: 0 }, [definitions]));
}

export function translate(root) {
  for (const element of root.querySelectorAll("[data-text]")) {
    element.textContent = say(element.dataset.text);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
  for (const element of root.querySelectorAll("[data-title]")) {
    element.setAttribute("title", say(element.dataset.title));
  }
}

// Ask in a dialog; the promise gives the chosen value, or null.
export function choose(title, options, more = []) {
  const dialog = find("dialog");
  return new Promise((resolve) => {
    let chosen = null;
    const row = make("div", { class: "row end" });
    for (const [value, key, attributes = {}] of options) {
      row.append(button(key, () => { chosen = value; dialog.close(); }, attributes));
    }
    dialog.replaceChildren(make("h2", {}, title), ...more, row);
    dialog.addEventListener("close", () => resolve(chosen), { once: true });
    dialog.showModal();
  });
}

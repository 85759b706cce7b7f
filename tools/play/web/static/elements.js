// Elements of the page with its texts. Text enters the page by textContent only.

import { find, make, svg } from "./shapes.js";
import { say } from "./texts.js";

export function button(key, action, attributes = {}, values = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, say(key, values));
}

// A picture of a position that only has to be looked at.
export function thumbnail(picture) {
  const viewBox = `0 0 ${picture.width} ${picture.height}`;
  return svg({ class: "board", viewBox, "aria-hidden": "true" }, [...picture.board, ...picture.pieces]);
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

// Whether the browser has kanji: without a font for them, it draws the same box for all.
export function hasKanji() {
  const canvas = make("canvas", { width: 24, height: 24 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = "20px serif";
  const drawn = (letter) => {
    context.clearRect(0, 0, 24, 24);
    context.fillText(letter, 1, 20);
    return context.getImageData(0, 0, 24, 24).data.join();
  };
  return drawn("歩") !== drawn("銀");
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

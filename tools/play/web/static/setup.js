// The form for a new game, and for playing on from a position.

import { choose } from "./elements.js";
import { make } from "./shapes.js";
import { say, sayCount } from "./texts.js";
import { sideName } from "./panel.js";

const TIMES = ["none", "300+3", "600", "600+5x30", "1800+10", "other"];
const THINKING = ["1/move", "0.2/move", "5/move", "20/move"];

function select(name, options, chosen = "") {
  const made = make("select", { name });
  for (const [value, text] of options) {
    made.append(make("option", { value, selected: value === chosen }, text));
  }
  return made;
}

function field(key, control, values = {}) {
  return make("label", { class: "field" }, make("span", {}, say(key, values)), control);
}

// The choice of an engine, with what a level is worth below it.
function engineField(key, offer, engines, name, values = {}) {
  const options = offer.levels.map((level) => (
    [`level ${level.name}`, say("form.level", { level: level.name })]
  ));
  for (const engine of engines.names[offer.game] || []) options.push([`engine ${engine}`, engine]);
  const control = select(name, options, `level ${offer.default_level}`);
  const worth = make("span", { class: "quiet worth" });
  const tell = () => {
    const level = offer.levels.find((each) => `level ${each.name}` === control.value);
    worth.textContent = level ? level.worth : "";
  };
  control.addEventListener("change", tell);
  tell();
  return make("div", {}, field(key, control, values), worth);
}

function engineOf(value) {
  const [kind, ...rest] = value.split(" ");
  return { [kind]: rest.join(" ") };
}

// Ask who plays, and for a new game on what terms, until the answer is accepted or there is none.
// To accept a message is to promise an empty text, or what is wrong with it.
export async function askForGame(offer, engines, accept, { isNew = true, lot = null, players = null } = {}) {
  const form = make("div", { class: "form" });
  const mode = select("mode", ["engine", "people", "watch"].map((each) => [each, say(`form.mode.${each}`)]),
    players && players.every((player) => player.person) ? "people" : "engine");
  const sides = offer.sides.map((side, i) => [String(i), sideName(side)]);
  if (isNew) {
    if (offer.has_nigiri) sides.push(["odd", say("form.side.nigiri.odd")], ["even", say("form.side.nigiri.even")]);
    sides.push(["lot", say("form.side.lot")]);
  }
  const side = select("side", sides, players && players[1].person && !players[0].person ? "1" : "0");
  const sideField = field("form.side", side);
  const opponent = engineField("form.opponent", offer, engines, "opponent");
  const first = engineField("form.first", offer, engines, "first", { side: sideName(offer.sides[0]) });
  const second = engineField("form.second", offer, engines, "second", { side: sideName(offer.sides[1]) });
  const parts = { engine: [sideField, opponent], people: [sideField], watch: [first, second] };
  const change = () => {
    for (const part of [sideField, opponent, first, second]) part.hidden = !parts[mode.value].includes(part);
    sideField.hidden = mode.value !== "engine";
  };
  mode.addEventListener("change", change);
  form.append(field("form.mode", mode), sideField, opponent, first, second);
  change();
  const terms = isNew ? termsFields(offer, form) : () => ({});
  const faults = engines.fault ? [make("p", { class: "fault" }, say("form.faults", { fault: engines.fault }))] : [];
  const title = isNew ? say("form.title", { title: say(`game.${offer.game}`) }) : say("form.continue");
  const wrong = make("p", { class: "fault", role: "alert", hidden: true });
  for (;;) {
    const answer = await choose(title, [
      ["begin", "form.begin", { class: "main", autofocus: true }],
      ["cancel", "form.cancel"],
    ], [...faults, form, wrong]);
    if (answer !== "begin") return;
    const message = await messageOf(form, mode.value, side.value, { game: offer.game, ...terms() }, lot);
    const fault = message ? await accept(message) : "";
    if (!fault || fault === "closed") return;
    wrong.textContent = `⚠ ${fault}`;
    wrong.hidden = false;
  }
}

// Ask which of the games of a file is to be opened; the promise gives its number, or 0.
export async function askForTitle(file, titles) {
  const chosen = select("number", titles.map((title, i) => [String(i + 1), `${i + 1}. ${title}`]), "1");
  chosen.size = Math.min(titles.length, 12);
  chosen.setAttribute("aria-label", say("file.games", { file, count: titles.length }));
  chosen.classList.add("titles");
  const answer = await choose(say("file.games", { file, count: titles.length }), [
    ["open", "file.open", { class: "main" }],
    ["cancel", "form.cancel"],
  ], [chosen]);
  return answer === "open" ? Number(chosen.value) : 0;
}

async function messageOf(form, mode, side, terms, lot) {
  const read = (name) => engineOf(form.querySelector(`[name=${name}]`).value);
  if (mode === "people") return { ...terms, players: [{}, {}], note: "" };
  if (mode === "watch") return { ...terms, players: [read("first"), read("second")], note: "" };
  const drawn = await drawSide(side, lot);
  if (!drawn) return null;
  const pair = [{}, read("opponent")];
  return { ...terms, players: drawn.isFirst ? pair : pair.reverse(), note: drawn.note };
}

async function drawSide(chosen, lot) {
  if (chosen === "0" || chosen === "1") return { isFirst: chosen === "0", note: "" };
  const drawn = await lot(chosen === "lot" ? "" : chosen);
  if (!drawn) return null;
  if (chosen === "lot") return { isFirst: drawn.first, note: say(drawn.first ? "lot.first" : "lot.second") };
  return { isFirst: drawn.first, note: sayCount(drawn.first ? "nigiri.right" : "nigiri.wrong", drawn.stones) };
}

function termsFields(offer, form) {
  const size = select("size", offer.sizes.map((each) => [String(each), `${each} × ${each}`]), "9");
  const handicap = select("handicap", []);
  const fill = () => {
    const named = offer.handicaps[offer.sizes.length ? size.value : ""] || [];
    handicap.replaceChildren(
      make("option", { value: "" }, say("form.handicap.none")),
      ...named.map((name) => make("option", { value: name }, name)),
    );
  };
  fill();
  size.addEventListener("change", fill);
  const boxes = [];
  let variant = null;
  if (offer.combined) {
    for (const [name, text] of offer.variants) {
      const box = make("input", { type: "checkbox", name: "box", value: name });
      boxes.push(box);
      form.append(make("label", { class: "box" }, box, make("span", {}, text)));
    }
  } else {
    const usual = offer.sizes.length ? [] : [["", say("form.variant.none")]];
    variant = select("variant", [...usual, ...offer.variants]);
    form.append(field(offer.sizes.length ? "form.rules" : "form.variant", variant));
  }
  if (offer.sizes.length) form.append(field("form.size", size));
  if (Object.keys(offer.handicaps).length) form.append(field("form.handicap", handicap));
  const komi = make("input", { name: "komi", maxlength: "6", inputmode: "decimal", placeholder: say("form.komi.usual") });
  if (offer.has_nigiri) form.append(field("form.komi", komi));
  const time = select("time", TIMES.map((each) => [each, say(`form.time.${each}`)]));
  const other = make("input", { name: "other", maxlength: "40", placeholder: say("form.time.hint"), "aria-label": say("form.time"), hidden: true });
  const thinking = select("thinking", THINKING.map((each) => [each, say(`form.thinking.${each}`)]));
  const thinkingField = field("form.thinking", thinking);
  time.addEventListener("change", () => {
    other.hidden = time.value !== "other";
    thinkingField.hidden = time.value !== "none";
  });
  form.append(field("form.time", time), other, thinkingField);
  return () => ({
    size: offer.sizes.length ? Number(size.value) : 0,
    variant: variant ? variant.value : boxes.filter((box) => box.checked).map((box) => box.value).join(","),
    handicap: handicap.value,
    komi: komi.value.trim(),
    time: time.value === "none" ? "" : time.value === "other" ? other.value.trim() : time.value,
    thinking: thinking.value,
  });
}

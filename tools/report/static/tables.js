// The tables: ratings, the cross table, endings, times, openings.

import { make } from "./shapes.js";
import { count } from "./games.js";
import { bar, interval, key, scale } from "./plots.js";

const MOST_OPENINGS = 200; // A page with thousands of rows would open slowly.

export function signed(value) {
  const digits = Math.abs(value).toFixed(1);
  return `${value < 0 && Number(digits) ? "−" : "+"}${digits}`;
}

export function rating({ elo, low, high, error }) {
  if (elo !== null) return error ? `${signed(elo)} ± ${error.toFixed(1)}` : signed(elo);
  if (low !== null) return `> ${signed(low)}`;
  return high === null ? "unknown" : `< ${signed(high)}`;
}

export function seconds(value) {
  if (value === null) return "–";
  if (value >= 100) return `${Math.round(value)} s`;
  return value >= 0.1 ? `${value.toPrecision(3)} s` : `${(1000 * value).toPrecision(2)} ms`;
}

function percent(points, games) {
  return games ? `${((100 * points) / games).toFixed(1)} %` : "–";
}

function score({ won, drawn, lost }) {
  return `${won}-${drawn}-${lost}`;
}

function cell(text, kind = "") {
  return make("td", { class: kind }, text);
}

export function table(head, rows, attributes = {}) {
  const cells = head.map(([text, kind = ""]) => make("th", { class: kind, scope: "col" }, text));
  return make("table", attributes, make("thead", {}, make("tr", {}, ...cells)), make("tbody", {}, ...rows));
}

function likely(share) {
  if (share === null) return "–";
  const least = share < 0.001 ? "< 0.1" : share > 0.999 ? "> 99.9" : (100 * share).toFixed(1);
  return `${least} %`;
}

export function ratings({ ratings: list, sides }) {
  const range = scale(list.engines);
  const head = [["#"], ["engine", "text"], ["Elo, 95 %"], ["", "text"], ["games"], ["distinct"], ["score"], [`as ${sides[0]}`], [`as ${sides[1]}`], ["stronger than next"]];
  const rows = list.engines.map((engine, place) => {
    const next = list.engines[place + 1];
    const same = next && next.component === engine.component;
    const title = [engine.reported, engine.time, `build ${engine.build.slice(0, 8)}`].filter(Boolean).join(", ");
    return make("tr", {},
      cell(String(place + 1)),
      make("th", { class: "text", scope: "row", title }, engine.name),
      cell(engine.anchored ? `${rating(engine)} (anchor)` : rating(engine), "strong"),
      make("td", { class: "text" }, interval(engine, range, `interval of ${engine.name}`)),
      cell(String(engine.games)),
      cell(String(engine.distinct)),
      cell(percent(engine.points, engine.games)),
      cell(score(engine.first)),
      cell(score(engine.second)),
      cell(same ? likely(list.superiority[place][place + 1]) : "–"));
  });
  const notes = [
    `Ratings stand on ${list.distinct} distinct games of ${list.games}; their mean is 0 without anchors. Colours: won-drawn-lost.`,
    list.advantage ? `Moving first is worth ${signed(list.advantage.elo)} ± ${list.advantage.error.toFixed(1)} Elo; ${sides[0]} scored ${score(list.first)}.` : `${sides[0]} scored ${score(list.first)}.`,
    list.components > 1 ? `${list.components} groups of engines have not met; ratings of different groups cannot be compared.` : "",
    ...list.notes,
  ].filter(Boolean);
  return [make("div", { class: "scroll" }, table(head, rows)), ...notes.map((text) => make("p", { class: "notes" }, text))];
}

export function cross({ ratings: list }) {
  const { engines } = list;
  const head = [["", "text"], ...engines.map((_, place) => [String(place + 1)]), ["points"]];
  const rows = engines.map((engine, place) => make("tr", {},
    make("th", { class: "text", scope: "row" }, `${place + 1}  ${engine.name}`),
    ...engines.map((other) => {
      const met = engine.opponents[other.name];
      if (other === engine) return cell("", "own");
      if (!met) return cell("");
      const games = met.won + met.drawn + met.lost;
      const share = (met.won + met.drawn / 2) / games;
      const kind = share > 0.5 ? "better" : share < 0.5 ? "worse" : "";
      return make("td", { class: kind, title: `${engine.name} against ${other.name}` }, percent(share, 1), make("small", {}, score(met)));
    }),
    cell(`${engine.points} / ${engine.games}`, "strong")));
  return [make("div", { class: "scroll" }, table(head, rows, { class: "cross" })), make("p", { class: "notes" }, "Share of the points, and games won-drawn-lost by the engine of the row.")];
}

// Games by a name, with the results of the side that moves first.
export function grouped(games, names, numbers) {
  const found = names.map((name) => ({ name, won: 0, drawn: 0, lost: 0 }));
  const kinds = ["lost", "drawn", "won"];
  for (let at = 0; at < count(games); at += 1) found[numbers[at]][kinds[games.points[at]]] += 1;
  for (const each of found) each.games = each.won + each.drawn + each.lost;
  return found.filter((each) => each.games).sort((one, other) => other.games - one.games);
}

export function endings({ games, sides, ratings: list }) {
  const rows = grouped(games, games.endings, games.ending).map((each) => make("tr", {},
    make("td", { class: "text name" }, each.name), cell(String(each.games)), cell(percent(each.games, count(games))), make("td", { class: "text" }, bar(each))));
  const head = [["ending", "text"], ["games"], ["share"], [`won by ${sides[0]}, drawn, by ${sides[1]}`, "text"]];
  const kinds = Object.keys(list.endings);
  const each = list.engines.map((engine) => make("tr", {},
    make("th", { class: "text", scope: "row" }, engine.name),
    ...kinds.map((kind) => cell(engine.endings[kind] ? score(engine.endings[kind]) : "–"))));
  const details = make("details", {}, make("summary", {}, "By engine: won-drawn-lost"), make("div", { class: "scroll" }, table([["engine", "text"], ...kinds.map((kind) => [kind])], each)));
  return [key(`${sides[0]} won`, "drawn", `${sides[1]} won`), make("div", { class: "scroll" }, table(head, rows)), details];
}

export function pace({ pace: paces, ratings: list }) {
  const most = Math.max(1e-9, ...paces.map(({ mean }) => mean || 0));
  const rows = paces.map((each, place) => {
    const gauge = make("span", { class: "gauge", "aria-hidden": "true" });
    gauge.style.width = `${(6 * (each.mean || 0)) / most}rem`;
    return make("tr", {}, make("th", { class: "text", scope: "row" }, list.engines[place].name),
      cell(seconds(each.mean)), make("td", { class: "text" }, gauge), cell(seconds(each.median)), cell(seconds(each.most)), cell(seconds(each.longest)), cell(seconds(each.cpu)), cell(String(each.moves)));
  });
  const head = [["engine", "text"], ["mean"], ["", "text"], ["median"], ["95 %"], ["longest"], ["CPU"], ["moves"]];
  return [make("div", { class: "scroll" }, table(head, rows)), make("p", { class: "notes" }, "Time per move of the engines' own moves. CPU is the mean CPU time per move, of the engine and its children.")];
}

export function openings({ games, sides }) {
  const found = grouped(games, games.openings, games.opening);
  const rows = found.slice(0, MOST_OPENINGS).map((each) => make("tr", {},
    make("td", { class: "text name" }, each.name || "start of the game"), cell(String(each.games)), cell(percent(each.won + each.drawn / 2, each.games)), make("td", { class: "text" }, bar(each))));
  const head = [["opening", "text"], ["games"], [`score of ${sides[0]}`], ["", "text"]];
  const more = found.length > MOST_OPENINGS ? `The ${MOST_OPENINGS} of ${found.length} openings with the most games. ` : "";
  return [key(`${sides[0]} won`, "drawn", `${sides[1]} won`), make("div", { class: "scroll high", tabindex: "0" }, table(head, rows)), make("p", { class: "notes" }, `${more}The list of games finds an opening by its name.`)];
}

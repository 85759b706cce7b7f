// The list of games: filtered, sorted, a part at a time.

import { make } from "./shapes.js";
import { RESULTS, count, game } from "./games.js";
import { seconds } from "./tables.js";

const PART = 100;
const COLUMNS = [
  ["number", "no.", (each) => each.number],
  ["first", "first", (each, names) => names[each.first]],
  ["second", "second", (each, names) => names[each.second]],
  ["points", "result", (each) => each.points],
  ["ending", "ending", (each) => each.ending],
  ["opening", "opening", (each) => each.opening],
  ["plies", "moves", (each) => each.plies],
  ["seconds", "time", (each) => each.seconds],
];
const LEFT = new Set(["first", "second", "ending", "opening"]);

export class List {
  constructor(place, open) {
    this.open = open;
    this.order = { column: "number", down: false };
    this.shown = PART;
    this.current = -1;
    this.query = make("input", { type: "search", oninput: () => this.begin() });
    this.engine = make("select", { onchange: () => this.begin() });
    this.result = make("select", { onchange: () => this.begin() });
    this.ending = make("select", { onchange: () => this.begin() });
    this.heads = new Map();
    const head = make("tr", {}, ...COLUMNS.map(([name, title]) => {
      const cell = make("th", { scope: "col", class: LEFT.has(name) ? "text" : "" }, make("button", { type: "button", onclick: () => this.sort(name) }, title));
      this.heads.set(name, cell);
      return cell;
    }));
    this.body = make("tbody");
    this.more = make("button", { type: "button", class: "plain", onclick: () => { this.shown += 5 * PART; this.fill(); } }, "more games");
    this.told = make("p", { class: "notes", role: "status" });
    const field = (title, input) => make("label", {}, title, input);
    place.replaceChildren(
      make("div", { class: "filters" }, field("search", this.query), field("engine", this.engine), field("result", this.result), field("ending", this.ending)),
      make("div", { class: "scroll tall", tabindex: "0" }, make("table", { id: "list" }, make("thead", {}, head), this.body)),
      this.told, this.more);
  }

  show(data) {
    this.data = data;
    this.names = data.ratings.engines.map((engine) => engine.name);
    const side = data.sides;
    this.choices(this.engine, ["all", ...this.names]);
    this.choices(this.result, ["all", `${side[0]} won`, `${side[1]} won`, "drawn", "won by the engine", "lost by the engine"]);
    this.choices(this.ending, ["all", ...data.games.endings]);
    this.games = Array.from({ length: count(data.games) }, (_, at) => game(data, at));
    this.fill();
  }

  choices(select, texts) {
    const { value } = select;
    select.replaceChildren(...texts.map((text, number) => make("option", { value: number ? text : "" }, text)));
    if (texts.includes(value)) select.value = value;
  }

  begin() {
    this.shown = PART;
    this.fill();
  }

  sort(column) {
    this.order = { column, down: this.order.column === column ? !this.order.down : false };
    this.fill();
  }

  fits(each) {
    const { value: engine } = this.engine;
    const { value: result } = this.result;
    const { value: ending } = this.ending;
    const [first, second] = [this.names[each.first], this.names[each.second]];
    if (engine && first !== engine && second !== engine) return false;
    if (ending && each.ending !== ending) return false;
    if (result && !this.matches(each, result, engine, first)) return false;
    const query = this.query.value.trim().toLowerCase();
    return !query || [String(each.number), first, second, each.reason, each.opening].some((text) => text.toLowerCase().includes(query));
  }

  matches(each, result, engine, first) {
    const [one, other] = this.data.sides;
    if (result === `${one} won`) return each.points === 2;
    if (result === `${other} won`) return each.points === 0;
    if (result === "drawn") return each.points === 1;
    if (!engine) return each.points !== 1;
    const own = first === engine ? each.points : 2 - each.points;
    return result === "won by the engine" ? own === 2 : own === 0;
  }

  chosen() {
    const [, , value] = COLUMNS.find(([name]) => name === this.order.column);
    const found = this.games.filter((each) => this.fits(each)).map((each) => [value(each, this.names), each]);
    const sign = this.order.down ? -1 : 1;
    found.sort(([one, a], [other, b]) => sign * (typeof one === "string" ? one.localeCompare(other) : one - other) || a.number - b.number);
    return found.map(([, each]) => each);
  }

  fill() {
    const found = this.chosen();
    for (const [name, cell] of this.heads) {
      if (name === this.order.column) cell.setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    this.body.replaceChildren(...found.slice(0, this.shown).map((each) => this.row(each)));
    this.told.textContent = `${found.length} of ${this.games.length} games${found.length > this.shown ? `, the first ${this.shown} shown` : ""}`;
    this.more.hidden = found.length <= this.shown;
  }

  row(each) {
    const open = make("button", { type: "button", class: "open", "aria-label": `replay game ${each.number}` }, String(each.number));
    const cell = (text, kind = "") => make("td", { class: kind }, text);
    const row = make("tr", { onclick: () => this.choose(each.at), title: each.repeated ? `${each.reason}; repeats an earlier game` : each.reason },
      make("td", {}, open),
      cell(this.names[each.first], each.points === 2 ? "text name strong" : "text name"),
      cell(this.names[each.second], each.points === 0 ? "text name strong" : "text name"),
      cell(RESULTS[each.points] + (each.repeated ? " =" : "")),
      cell(each.ending, "text name"),
      cell(each.opening || "–", "text name"),
      cell(String(each.plies)),
      cell(seconds(each.seconds)));
    row.dataset.at = each.at;
    if (each.at === this.current) row.className = "current";
    return row;
  }

  choose(at) {
    this.current = at;
    for (const row of this.body.children) row.className = Number(row.dataset.at) === at ? "current" : "";
    this.open(at);
  }
}

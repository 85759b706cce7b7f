// The page: its data stands in it, or comes from the server of `quintet report --live`.

import { define, find, make } from "./shapes.js";
import { count, extend } from "./games.js";
import { List } from "./list.js";
import { curves } from "./plots.js";
import { Replay } from "./replay.js";
import * as tables from "./tables.js";

const EARLY = 20; // The axis of the scores ignores one point in so many, at the beginning.

class Report {
  constructor() {
    this.data = null;
    this.parts = new Map();
  }

  // A section, which is made when it is first needed.
  part(name, title, { wide = false } = {}) {
    if (!this.parts.has(name)) {
      const inside = make("div");
      find("report").append(make("section", { class: wide ? "card wide" : "card", id: name }, make("h2", {}, title), inside));
      this.parts.set(name, inside);
    }
    return this.parts.get(name);
  }

  show(data) {
    this.data = data;
    document.title = data.title;
    find("title").textContent = data.title;
    const games = count(data.games);
    const list = data.ratings;
    find("summary").textContent = [data.what, data.kind, list ? `${list.engines.length} engines` : "", `${games} games${list && list.distinct < games ? `, ${list.distinct} distinct` : ""}`, data.void ? `${data.void} void` : ""].filter(Boolean).join(" · ");
    find("made").textContent = `Made by quintet report on ${data.made.replace("T", " ").replace("+00:00", " UTC")}.`;
    this.state(data.running ? `The ${data.kind} is running.` : "");
    define(data.kit.definitions);
    if (this.list) this.list.current = this.replay.game.at;
    if (!games) {
      this.part("empty", "No games yet", { wide: true }).textContent = "The report begins with the first finished game.";
      return;
    }
    if (this.parts.has("empty")) {
      this.parts.get("empty").parentNode.remove();
      this.parts.delete("empty");
    }
    // The engines of a tuning run change from pair to pair: what they won says nothing of them.
    if (data.values) data.values.forEach((value, place) => this.value(value, place));
    else {
      this.part("ratings", "Ratings", { wide: true }).replaceChildren(...tables.ratings(data));
      this.part("cross", "Cross table", { wide: list.engines.length > 5 }).replaceChildren(...tables.cross(data));
      this.part("course", "Score over time", { wide: list.engines.length > 5 });
    }
    if (data.test) this.part("test", "Sequential test");
    this.plot();
    this.part("endings", "How the games ended").replaceChildren(...tables.endings(data));
    this.part("openings", "Openings").replaceChildren(...tables.openings(data));
    this.part("pace", "Time per move", { wide: true }).replaceChildren(...tables.pace(data));
    this.games(data);
  }

  value({ name, start, now }, place) {
    const heading = this.part(`value-${place}`, "").previousElementSibling;
    heading.textContent = `${name}: ${start} at the start, ${now} now`;
  }

  plot() {
    const { values, test } = this.data;
    if (values) this.plotValues(values);
    else this.plotScores();
    if (test) this.plotTest(test);
  }

  plotValues(values) {
    values.forEach(({ name, start, low, high, curve }, place) => curves(this.part(`value-${place}`, ""), {
      series: [{ name, points: curve }], low, high, write: (value) => String(Number(value.toPrecision(4))), under: "pairs of games",
      levels: [{ value: start, name: "at the start" }], label: `${name} over the pairs of games`,
    }));
  }

  plotScores() {
    const { course, ratings: list } = this.data;
    // The first games of a long run would stretch the axis, because a share begins at 0 or 100 %.
    const shares = course.flatMap((points) => points.slice(Math.floor(points.length / EARLY)).map(([, share]) => share));
    const low = Math.max(0, Math.floor(10 * Math.min(0.4, ...shares)) / 10);
    const high = Math.min(1, Math.ceil(10 * Math.max(0.6, ...shares)) / 10);
    const outside = course.flat().filter(([, share]) => share < low || share > high).map(([at]) => at);
    curves(this.part("course", ""), {
      series: course.map((points, place) => ({ name: list.engines[place].name, points })),
      low, high, write: (value) => `${Math.round(100 * value)} %`, under: "games", label: "share of the points of each engine, over the games",
    });
    if (outside.length) {
      const until = Math.max(...outside);
      this.part("course", "").append(make("p", { class: "notes" }, `Until game ${until}, curves leave the plot, which shows ${Math.round(100 * low)} to ${Math.round(100 * high)}\u00a0%.`));
    }
  }

  plotTest(test) {
    const values = test.curve.map(([, llr]) => llr);
    curves(this.part("test", ""), {
      series: [{ name: test.engine, points: test.curve }],
      low: Math.min(test.lower, ...values) - 0.4, high: Math.max(test.upper, ...values) + 0.4,
      write: (value) => value.toFixed(1), under: "games",
      levels: [{ value: test.upper, name: `H1 accepted: ${test.upper.toFixed(2)}` }, { value: test.lower, name: `H0 accepted: ${test.lower.toFixed(2)}` }],
      label: "log-likelihood ratio over the games",
    });
    this.part("test", "").append(make("p", { class: "notes" }, `Log-likelihood ratio for ${test.engine}; ${test.terms.replaceAll(",", ", ")}`));
  }

  games(data) {
    if (!this.list) {
      const viewer = make("div", { id: "viewer" });
      const list = make("div");
      this.part("games", "Games", { wide: true }).replaceChildren(make("div", { class: "played" }, list, viewer));
      this.replay = new Replay(viewer);
      this.list = new List(list, (at) => this.replay.open(this.data, at));
      this.list.show(data);
      this.list.current = 0;
      this.replay.open(data, 0, { focus: false });
    }
    this.list.show(data);
  }

  state(text, kind = "") {
    find("state").textContent = text;
    find("state").className = kind;
  }

  // News of a running match: the games from `from` on, and all figures.
  news({ from, data }) {
    const games = data.games && extend(this.data ? this.data.games : null, from, data.games);
    this.show({ ...data, games });
  }
}

async function listen(report) {
  const { Connection } = await import("./connection.js");
  const token = new URLSearchParams(location.hash.slice(1)).get("token") || sessionStorage.getItem("token") || "";
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
  return new Connection(token, {
    connected: () => report.state(""),
    lost: () => report.state("The server of the report is gone; the page shows what it had.", "fault"),
    refused: () => report.state("This address has no valid token; open the one that quintet report printed.", "fault"),
    news: (message) => report.news(message),
  });
}

const report = new Report();
const given = find("data");
if (given) report.show(JSON.parse(given.textContent));
else listen(report);
let width = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth === width || !report.data || !count(report.data.games)) return;
  width = window.innerWidth;
  report.plot();
});

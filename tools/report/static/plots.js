// Plots: curves over the games, intervals of ratings, bars of results.

import { draw, make, shape, svg } from "./shapes.js";

const MARGIN = { left: 46, right: 12, top: 12, bottom: 30 };
const STYLES = 8; // Curves that differ in colour and dashes.
const LABEL = 14; // The height of a label.
const EDGE = 2; // Room for half the thickness of a curve on the edge of the plot.

export function ticks(low, high, wanted = 5) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= raw);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

function words(kind, x, y, text) {
  return draw(["text", { class: kind, x, y }, text, []]);
}

// Curves with their names at their ends; `levels` are horizontal lines with names.
export function curves(place, { series, low, high, write, under, levels = [], label }) {
  const width = Math.max(280, place.clientWidth);
  const height = Math.min(300, Math.max(200, width * 0.45));
  const named = series.length > 1;
  const right = named ? Math.min(150, width * 0.32) : MARGIN.right;
  const last = Math.max(1, ...series.map(({ points }) => (points.length ? points[points.length - 1][0] : 1)));
  const x = (value) => MARGIN.left + (value / last) * (width - MARGIN.left - right);
  const y = (value) => MARGIN.top + ((high - value) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const plot = svg({ class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, []);
  for (const value of ticks(low, high, 4)) {
    plot.append(shape("path", { class: "axis", d: `M${MARGIN.left} ${y(value)}H${width - right}` }));
    plot.append(words("tick end", MARGIN.left - 6, y(value) + 4, write(value)));
  }
  for (const value of ticks(0, last, Math.max(2, Math.floor(width / 130)))) {
    if (value === Math.round(value)) plot.append(words("tick middle", x(value), height - MARGIN.bottom + 16, String(value)));
  }
  plot.append(words("tick middle", (MARGIN.left + width - right) / 2, height - 1, under));
  for (const { value, name } of levels) {
    plot.append(shape("path", { class: "bound", d: `M${MARGIN.left} ${y(value)}H${width - right}` }));
    plot.append(words("tick", MARGIN.left + 4, y(value) - 4, name));
  }
  // An inner drawing hides what lies outside of it: a curve leaves the plot instead of following its edge.
  const [top, bottom] = [MARGIN.top - EDGE, height - MARGIN.bottom + EDGE];
  const inside = svg({ x: MARGIN.left, y: top, width: width - right - MARGIN.left, height: bottom - top, viewBox: `${MARGIN.left} ${top} ${width - right - MARGIN.left} ${bottom - top}`, overflow: "hidden" }, []);
  plot.append(inside);
  const ends = [];
  series.forEach(({ name, points }, number) => {
    if (!points.length) return;
    const way = points.map(([at, value], i) => `${i ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    inside.append(shape("path", { class: `course c${number % STYLES}`, d: points.length > 1 ? way : `${way}h1` }));
    ends.push({ name, number, y: y(points[points.length - 1][1]) });
  });
  if (named) labelEnds(plot, ends, width - right, right, height);
  place.replaceChildren(plot);
}

// The end of a name tells more than its beginning: levels and options stand there.
function shorten(name, most) {
  return name.length > most ? `…${name.slice(1 - most)}` : name;
}

// Names beside the ends of curves, moved apart where they would overlap.
function labelEnds(plot, ends, left, room, height) {
  ends.sort((one, other) => one.y - other.y);
  let free = 4;
  const most = height - ends.length * LABEL;
  ends.forEach((end, i) => {
    const at = Math.max(free, Math.min(end.y, most + i * LABEL));
    free = at + LABEL;
    plot.append(shape("path", { class: `course c${end.number % STYLES}`, d: `M${left + 4} ${at}h18` }));
    const short = Math.floor((room - 30) / 6.4);
    const text = words("name", left + 26, at + 4, shorten(end.name, short));
    text.append(draw(["title", {}, end.name, []]));
    plot.append(text);
  });
}

// The scale of all intervals of a list.
export function scale(engines) {
  const known = engines.flatMap(({ elo, low, high }) => [elo, low, high]).filter((value) => value !== null);
  if (!known.length) return { low: -100, high: 100 };
  const low = Math.min(...known);
  const high = Math.max(...known);
  const room = Math.max(25, (high - low) * 0.06);
  return { low: low - room, high: high + room };
}

// A rating with its interval; an end that is not bounded has an arrow.
export function interval({ elo, low, high }, range, label) {
  const x = (value) => (4 + ((value - range.low) / (range.high - range.low)) * 232).toFixed(1);
  const shapes = [["path", { class: "axis", d: "M0 13H240" }, "", []]];
  if (range.low < 0 && range.high > 0) shapes.push(["path", { class: "zero", d: `M${x(0)} 1V25` }, "", []]);
  if (low !== null || high !== null) {
    const from = low === null ? 8 : x(low);
    const to = high === null ? 232 : x(high);
    shapes.push(["path", { class: "range", d: `M${from} 13H${to}` }, "", []]);
    if (low === null) shapes.push(["polygon", { class: "open", points: "0,13 11,6 11,20" }, "", []]);
    if (high === null) shapes.push(["polygon", { class: "open", points: "240,13 229,6 229,20" }, "", []]);
  }
  if (elo !== null) shapes.push(["circle", { class: "dot", cx: x(elo), cy: 13, r: 4.5 }, "", []]);
  return svg({ class: "interval", viewBox: "0 0 240 26", role: "img", "aria-label": label }, shapes);
}

// The numbers of wins, draws and losses as parts of a bar.
export function bar({ won, drawn, lost }) {
  const total = won + drawn + lost;
  const parts = [["won", won], ["drawn", drawn], ["lost", lost]].filter(([, number]) => number);
  const whole = make("div", { class: "bar", role: "img", "aria-label": `${won} won, ${drawn} drawn, ${lost} lost` });
  for (const [kind, number] of parts) {
    const part = make("span", { class: kind, title: `${number} ${kind}` });
    part.style.width = `${(100 * number) / total}%`;
    whole.append(part);
  }
  return whole;
}

export function key(...names) {
  const kinds = ["won", "drawn", "lost"];
  return make("p", { class: "key" }, ...names.map((name, i) => make("span", {}, make("i", { class: kinds[i] }), name)));
}

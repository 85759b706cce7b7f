// The board that replays a game, with its moves, their times and the evaluations of both engines.

import { draw, make, shape, svg } from "./shapes.js";
import { RESULTS, game, moves } from "./games.js";
import { knows, positions, touched } from "./positions.js";
import { seconds } from "./tables.js";

const CHANCE = 2;
const HEIGHT = 100; // Of the graph, in its own units; its width is the number of moves.
const PACE = 700; // Milliseconds per move while a game plays by itself.
const TRAY = { left: 118, step: 42, bottom: 32 }; // Pieces in hand on the board of shogi.

export class Replay {
  constructor(place) {
    this.place = place;
    this.board = svg({ class: "board", role: "img", tabindex: "0" }, []);
    this.sides = [make("div", { class: "sidebar" }), make("div", { class: "sidebar" })];
    this.told = make("p", { role: "status" });
    this.graph = svg({ class: "graph", preserveAspectRatio: "none", role: "img", "aria-label": "evaluations" }, []);
    this.graph.addEventListener("pointerdown", (event) => this.point(event));
    this.slider = make("input", { type: "range", min: 0, "aria-label": "move", oninput: () => this.go(Number(this.slider.value)) });
    this.list = make("ol", { id: "moves" });
    const step = (sign, label, action) => make("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: action }, sign);
    this.run = step("▶", "play", () => this.toggle());
    const steps = make("div", { class: "steps" },
      step("«", "first position (Home)", () => this.go(0)), step("‹", "back (left arrow)", () => this.go(this.ply - 1)), this.run,
      step("›", "on (right arrow)", () => this.go(this.ply + 1)), step("»", "last position (End)", () => this.go(this.moves.length)), this.slider);
    this.title = make("h2", { tabindex: "-1" });
    place.replaceChildren(this.title, this.sides[1], this.board, this.sides[0], steps, this.told, this.graph,
      make("p", { class: "quiet" }, "Share of the points that each engine expects for the side that moves first: above the middle line it is ahead."), this.list);
    place.addEventListener("keydown", (event) => this.key(event));
    place.hidden = true;
    this.timer = null;
  }

  open(data, at, { focus = true } = {}) {
    this.stop();
    this.data = data;
    this.game = game(data, at);
    this.moves = moves(data, at);
    this.positions = knows(data.game) ? positions(data.game, this.game.setup, this.moves) : [];
    this.place.hidden = false;
    const { kit } = data;
    this.board.setAttribute("viewBox", `0 0 ${kit.width} ${kit.height}`);
    this.title.textContent = `Game ${this.game.number}: ${RESULTS[this.game.points]}, ${this.game.reason}`;
    this.slider.max = this.moves.length;
    this.plot();
    this.fill();
    this.go(this.moves.length);
    if (focus) {
      this.place.scrollIntoView({ block: "nearest" });
      this.board.focus({ preventScroll: true });
    }
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(this.moves.length, ply));
    this.slider.value = this.ply;
    this.paint();
    this.tell();
    const now = this.graph.querySelector(".now");
    if (now) now.setAttribute("d", `M${this.ply} 0V${HEIGHT}`);
    [...this.list.children].forEach((item, number) => item.classList.toggle("current", number + 1 === this.ply));
    const current = this.list.children[this.ply - 1];
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  // Draw the pieces as copies of one piece of each kind, moved to their places.
  paint() {
    const { kit } = this.data;
    const position = this.positions[this.ply];
    const shapes = [...kit.board];
    const marks = this.marks();
    const pieces = position ? Object.entries(position.cells).map(([place, kind]) => this.piece(kind, kit.places[place])) : [];
    const held = position && position.held ? position.held.flatMap((hand, side) => this.hand(hand, side)) : [];
    const order = kit.cell ? [...marks, ...pieces] : [...pieces, ...marks];
    this.board.replaceChildren(...[...shapes, ...order, ...held].map(draw));
    const names = this.data.ratings.engines;
    this.sides.forEach((bar, side) => {
      const engine = names[side === 0 ? this.game.first : this.game.second];
      const thrown = position && position.thrown && this.moves[this.ply] && this.moves[this.ply].side === side ? `thrown ${position.thrown}` : "";
      bar.replaceChildren(make("b", {}, engine.name), make("span", { class: "quiet" }, [this.data.sides[side], position ? position.aside[side] : "", thrown].filter(Boolean).join(", ")));
    });
    this.board.setAttribute("aria-label", `position after move ${this.ply}`);
  }

  piece(kind, [x, y]) {
    const [piece, left, top] = this.data.kit.kinds[kind];
    return ["g", { transform: `translate(${(x - left).toFixed(1)} ${(y - top).toFixed(1)})` }, "", [piece]];
  }

  hand(hand, side) {
    const y = side === 0 ? this.data.kit.height - TRAY.bottom : TRAY.bottom;
    return hand.map(([kind, number], place) => {
      const x = TRAY.left + TRAY.step * place;
      const count = number > 1 ? [["circle", { class: "count", cx: x + 17, cy: y + 13, r: 8 }, "", []], ["text", { class: "figure", x: x + 17, y: y + 17 }, String(number), []]] : [];
      return ["g", {}, "", [this.piece(kind, [x, y]), ...count]];
    });
  }

  marks() {
    const move = this.moves[this.ply - 1];
    if (!move || move.side === CHANCE) return [];
    const { places, cell } = this.data.kit;
    const { from, to, taken } = touched(this.data.game, move.text);
    const marks = [];
    const each = (names, mark) => names.filter((name) => name in places).forEach((name) => marks.push(mark(places[name])));
    if (cell) {
      const square = (kind) => ([x, y]) => ["rect", { class: kind, x: x - cell / 2 + 1, y: y - cell / 2 + 1, width: cell - 2, height: cell - 2, rx: 3 }, "", []];
      each(from, square("last from"));
      each(to, square("last to"));
    } else {
      each(from, ([x, y]) => ["circle", { class: "last from", cx: x, cy: y, r: 8 }, "", []]);
      each(to, ([x, y]) => ["circle", { class: "last ring", cx: x, cy: y, r: 9.6 }, "", []]);
      each(taken, ([x, y]) => ["path", { class: "took", d: `M${x - 8} ${y - 8}l16 16m0 -16l-16 16` }, "", []]);
    }
    return marks;
  }

  tell() {
    const move = this.moves[this.ply - 1];
    if (!move) {
      this.told.textContent = `start, ${this.moves.length} moves`;
      return;
    }
    const mover = move.side === CHANCE ? "throw" : this.data.sides[move.side];
    const own = move.share === null || move.side === CHANCE ? "" : `, expects ${Math.round(100 * (move.side === 1 ? 1 - move.share : move.share))} %`;
    const book = this.ply <= this.game.book ? ", opening" : `, ${seconds(move.seconds)}`;
    this.told.textContent = `${this.ply}/${this.moves.length}  ${mover} ${move.text}${move.side === CHANCE ? "" : book}${own}`;
  }

  plot() {
    const width = Math.max(1, this.moves.length);
    this.graph.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const ways = [0, 1].map((side) => {
      const known = this.moves.map((move, ply) => [ply + 1, move]).filter(([, move]) => move.side === side && move.share !== null);
      return known.map(([ply, { share }], i) => `${i ? "L" : "M"}${ply} ${(HEIGHT * (1 - share) * 0.94 + 3).toFixed(1)}`).join("");
    });
    this.graph.replaceChildren(shape("path", { class: "half", d: `M0 ${HEIGHT / 2}H${width}` }),
      ...ways.map((way, side) => shape("path", { class: `c${side}`, d: way || "M0 0" })), shape("path", { class: "now", d: "M0 0" }));
  }

  fill() {
    this.list.replaceChildren(...this.moves.map((move, number) => make("li", { class: number < this.game.book ? "book" : "" },
      make("button", { type: "button", onclick: () => this.go(number + 1), title: seconds(move.seconds) }, `${number + 1}. ${move.text}`))));
  }

  point(event) {
    const box = this.graph.getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.left) / box.width) * this.moves.length));
  }

  key(event) {
    if (event.target === this.slider || event.altKey || event.ctrlKey || event.metaKey) return;
    const ways = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.moves.length };
    if (!(event.key in ways)) return;
    this.go(ways[event.key]);
    event.preventDefault();
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      return;
    }
    if (this.ply === this.moves.length) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.ply + 1);
      if (this.ply === this.moves.length) this.stop();
    }, PACE);
    this.run.textContent = "❚❚";
    this.run.setAttribute("aria-label", "pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.run.textContent = "▶";
    this.run.setAttribute("aria-label", "play");
  }
}

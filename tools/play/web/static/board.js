// The board: it shows a picture, and turns clicks, drags and keys into moves.
// A way is a legal move as text, followed by the places to click for it.

import { choose } from "./elements.js";
import { draw, shape } from "./shapes.js";
import { say } from "./texts.js";

const FEW = 60; // More options than this are not marked: in Go nearly all points are free.
const DRAGGED = 6; // Pixels after which a press is a drag.
const ROLLING = 650; // Milliseconds.

export class Board {
  constructor(svg, actions) {
    this.svg = svg;
    this.actions = actions; // play(text), attempt(places), toggle(place), roll()
    this.shown = null;
    this.chosen = [];
    this.cursor = "";
    this.hover = "";
    this.press = null;
    this.kept = new Map();
    this.layers = ["ground", "pieces", "signs"].map((name) => {
      const layer = shape("g", { class: name });
      svg.append(layer);
      return layer;
    });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.drop());
    svg.addEventListener("pointerleave", () => this.point(""));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("blur", () => { this.cursor = ""; this.mark(); });
  }

  show(shown) {
    const before = this.shown;
    this.shown = shown;
    const picture = shown.picture;
    const same = before && before.ply === shown.ply && before.plies === shown.plies
      && before.phase === shown.phase && before.game === shown.game;
    if (!same) this.chosen = [];
    this.svg.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
    this.svg.setAttribute("aria-label", say("board.label", { title: shown.title }));
    this.layers[1].replaceChildren(...this.drawn(picture.pieces));
    if (before && shown.throw && shown.plies > before.plies) this.roll();
    const starts = new Set(shown.ways.filter((way) => way.length > 2).map((way) => way[1]));
    for (const piece of this.pieces()) {
      if (starts.has(piece.dataset.place)) piece.classList.add("movable");
    }
    this.mark();
  }

  // Draw shapes; those that were there before are kept, which is most of them.
  drawn(shapes) {
    const before = this.kept;
    this.kept = new Map();
    return shapes.map((each) => {
      const key = JSON.stringify(each);
      const element = before.get(key) || draw(each);
      before.delete(key);
      element.classList.remove("movable", "dragged");
      this.kept.set(key, element);
      return element;
    });
  }

  // Draw the empty board, which is the same for all positions of a game.
  paint(ground) {
    this.layers[0].replaceChildren(...ground.map(draw));
  }

  roll() {
    this.svg.classList.add("rolling");
    setTimeout(() => this.svg.classList.remove("rolling"), ROLLING);
  }

  pieces() {
    return [...this.layers[1].querySelectorAll("[data-place]")];
  }

  piece(place) {
    return this.pieces().find((piece) => piece.dataset.place === place) || null;
  }

  // The ways that begin with what is chosen, and the places that come next.
  open() {
    return this.shown.ways.filter((way) => this.chosen.every((place, i) => way[i + 1] === place));
  }

  options() {
    const next = this.chosen.length + 1;
    return new Set(this.open().map((way) => way[next]).filter((place) => place in this.shown.picture.places));
  }

  async click(place) {
    if (!place || !this.shown) return;
    if (this.shown.phase === "scoring") {
      this.actions.toggle(place);
      return;
    }
    if (this.shown.to_throw) {
      if (place === "die") this.actions.roll();
      return;
    }
    if (!this.shown.ways.length) return;
    if (this.options().has(place)) {
      this.chosen.push(place);
    } else if (this.chosen.includes(place)) {
      this.chosen = [];
    } else if (this.shown.ways.some((way) => way[1] === place)) {
      this.chosen = [place];
    } else if (this.chosen.length || !this.hasParts()) {
      const places = [...this.chosen, place];
      this.chosen = [];
      this.actions.attempt(places);
    }
    this.mark();
    await this.finish();
  }

  hasParts() {
    return this.shown.ways.some((way) => way.length > 2);
  }

  async finish() {
    const length = this.chosen.length + 1;
    const ways = this.open();
    const whole = ways.find((way) => way.length === length);
    if (!this.chosen.length || !whole) {
      // In shogi a piece may have to promote: nothing is left to choose.
      if (this.chosen.length && ways.length === 1 && ways[0][length] === "+") this.send(ways[0][0]);
      return;
    }
    const promoted = ways.find((way) => way[length] === "+");
    if (!promoted) {
      this.send(whole[0]);
      return;
    }
    const answer = await choose(say("promote.title"), [
      ["yes", "promote.yes", { autofocus: true, class: "main" }],
      ["no", "promote.no"],
    ]);
    if (answer) this.send(answer === "yes" ? promoted[0] : whole[0]);
    else { this.chosen = []; this.mark(); }
  }

  send(text) {
    this.actions.play(text);
  }

  cancel() {
    this.chosen = [];
    this.mark();
  }

  // Draw what is chosen and what can be; the pieces are shown where they would stand.
  mark() {
    if (!this.shown) return;
    const { places, cell } = this.shown.picture;
    const size = cell || 40;
    const marks = [];
    for (const piece of this.pieces()) piece.removeAttribute("transform");
    for (let i = 0; i < this.chosen.length; i += 1) {
      const from = this.chosen[i];
      const to = this.chosen[i + 1];
      const piece = this.piece(from);
      if (piece && to && to in places) {
        this.shift(piece, places[from], places[to]);
        i += 1;
      } else if (from in places) {
        marks.push(this.ring("chosen", places[from], size * 0.46));
      }
    }
    const options = this.options();
    if (options.size <= FEW && (this.chosen.length || this.hasParts())) {
      for (const place of options) {
        const taken = this.piece(place);
        if (this.chosen.length || !taken) {
          marks.push(this.ring(taken ? "option taken" : "option", places[place], size * (taken ? 0.44 : 0.15)));
        }
      }
    }
    if (this.hover && options.has(this.hover)) marks.push(this.ring("hover", places[this.hover], size * 0.4));
    if (this.cursor in places) marks.push(this.ring("cursor", places[this.cursor], size * 0.5));
    this.layers[2].replaceChildren(...marks);
  }

  ring(kind, [x, y], radius) {
    return shape("circle", { class: kind, cx: x, cy: y, r: radius });
  }

  shift(piece, [left, top], [x, y]) {
    piece.setAttribute("transform", `translate(${x - left} ${y - top})`);
  }

  // The place under a pointer, or an empty text.
  under(event) {
    if (!this.shown) return "";
    const at = this.at(event);
    const reach = 0.62 * (this.shown.picture.cell || 44);
    let best = "";
    let nearest = reach;
    for (const [place, [x, y]] of Object.entries(this.shown.picture.places)) {
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < nearest) [best, nearest] = [place, distance];
    }
    return best;
  }

  at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  point(place) {
    if (place === this.hover) return;
    this.hover = place;
    if (!this.press || !this.press.dragging) this.mark();
  }

  down(event) {
    if (event.button !== 0 || !this.shown) return;
    const place = this.under(event);
    const movable = this.chosen.length % 2 === 0 || !this.options().has(place);
    const piece = movable && this.shown.ways.some((way) => way.length > 2) ? this.piece(place) : null;
    this.press = { place, piece, x: event.clientX, y: event.clientY, dragging: false };
    if (piece && piece.classList.contains("movable")) this.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const press = this.press;
    if (press && press.piece && !press.dragging
        && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAGGED) {
      press.dragging = true;
      if (this.options().has(press.place)) this.chosen.push(press.place);
      else if (this.shown.ways.some((way) => way[1] === press.place)) this.chosen = [press.place];
      else { this.press = null; return; }
      this.mark();
      press.piece.classList.add("dragged");
      press.piece.parentNode.append(press.piece);
    }
    if (press && press.dragging) {
      const { x, y } = this.at(event);
      this.shift(press.piece, this.shown.picture.places[press.place], [x, y]);
      this.hover = this.under(event);
    } else {
      this.point(event.pointerType === "touch" ? "" : this.under(event));
    }
  }

  up(event) {
    const press = this.press;
    this.drop();
    if (!press) return;
    const place = this.under(event);
    if (!press.dragging) {
      if (place === press.place) this.click(place);
    } else if (place && place !== press.place) {
      this.click(place);
    } else {
      this.cancel();
    }
  }

  drop() {
    if (this.press && this.press.piece) this.press.piece.classList.remove("dragged");
    this.press = null;
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in ways) this.step(...ways[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.click(this.cursor);
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
  }

  step(dx, dy) {
    if (!this.shown) return;
    const places = Object.entries(this.shown.picture.places);
    if (!(this.cursor in this.shown.picture.places)) {
      const first = [...this.options()][0];
      this.cursor = first || (places.length ? places[0][0] : "");
    } else {
      const [x, y] = this.shown.picture.places[this.cursor];
      let nearest = Infinity;
      for (const [place, [left, top]] of places) {
        const along = (left - x) * dx + (top - y) * dy;
        const aside = Math.abs((left - x) * dy) + Math.abs((top - y) * dx);
        if (along > 1 && aside <= along * 1.5 && along + 2.5 * aside < nearest) {
          [this.cursor, nearest] = [place, along + 2.5 * aside];
        }
      }
    }
    this.mark();
    this.actions.spell(this.cursor);
  }
}

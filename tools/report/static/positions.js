// The positions of a game, from its set-up and its moves. The referee has checked every move by the
// rules of the game; here it is only followed, so nothing is checked again.
// A position is { cells: what stands on each place, by name; aside: a text per side }.

const GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const MORRIS_POINTS = "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7".match(/../g);
const RANKS = "abcdefghi";
const HELD = "RBGSNLP";
const CHANCE = 2;

class Go {
  constructor(setup) {
    const [board, ...words] = setup.split(" ");
    const rows = board.split("/").map((row) => row.replace(/\d+/g, (gap) => ".".repeat(Number(gap))));
    this.width = rows[0].length;
    this.height = rows.length;
    this.stones = rows.join("").split("");
    const captured = words.find((word) => word.startsWith("captured="));
    this.captured = captured ? captured.slice(9).split(",").map(Number) : [0, 0];
  }

  play(side, text) {
    const match = /^([A-HJ-Z])(\d+)$/i.exec(text);
    if (!match) return;
    const x = GO_LETTERS.indexOf(match[1].toUpperCase());
    const at = (this.height - Number(match[2])) * this.width + x;
    this.stones[at] = "XO"[side];
    for (const next of this.neighbours(at)) {
      if (this.stones[next] === "XO"[1 - side]) this.capture(next, 1 - side);
    }
    this.capture(at, side);
  }

  neighbours(at) {
    const x = at % this.width;
    const near = [at - this.width, at + this.width];
    if (x > 0) near.push(at - 1);
    if (x < this.width - 1) near.push(at + 1);
    return near.filter((place) => place >= 0 && place < this.stones.length);
  }

  // Remove a chain that has no liberty.
  capture(at, side) {
    const chain = [at];
    const seen = new Set(chain);
    for (const stone of chain) {
      for (const next of this.neighbours(stone)) {
        if (this.stones[next] === ".") return;
        if (this.stones[next] === this.stones[at] && !seen.has(next)) {
          seen.add(next);
          chain.push(next);
        }
      }
    }
    for (const stone of chain) this.stones[stone] = ".";
    this.captured[side] += chain.length;
  }

  position() {
    const cells = {};
    this.stones.forEach((stone, at) => {
      if (stone === ".") return;
      cells[`${GO_LETTERS[at % this.width]}${this.height - Math.floor(at / this.width)}`] = stone;
    });
    return { cells, aside: [1, 0].map((side) => this.captured[side] ? `captured ${this.captured[side]}` : "") };
  }
}

class Shogi {
  constructor(setup) {
    const [board, , hands = "-"] = setup.split(" ");
    this.cells = {};
    this.hands = {};
    board.split("/").forEach((row, number) => {
      let file = 9;
      for (const word of row.match(/\d|\+?[A-Za-z]/g) || []) {
        if (/\d/.test(word)) file -= Number(word);
        else { this.cells[`${file}${RANKS[number]}`] = word; file -= 1; }
      }
    });
    for (const [, count, letter] of hands.matchAll(/(\d*)([A-Za-z])/g)) this.hands[letter] = Number(count || 1);
  }

  play(side, text) {
    const own = (letter) => (side === 0 ? letter.toUpperCase() : letter.toLowerCase());
    const drop = /^([A-Z])\*([1-9][a-i])$/.exec(text);
    if (drop) {
      const piece = own(drop[1]);
      this.cells[drop[2]] = piece;
      this.hands[piece] -= 1;
      return;
    }
    const match = /^([1-9][a-i])([1-9][a-i])(\+?)$/.exec(text);
    if (!match) return;
    const [, from, to, promotes] = match;
    const taken = this.cells[to];
    if (taken) {
      const held = own(taken.replace("+", ""));
      this.hands[held] = (this.hands[held] || 0) + 1;
    }
    this.cells[to] = promotes + this.cells[from];
    delete this.cells[from];
  }

  position() {
    const held = [0, 1].map((side) => [...HELD]
      .map((letter) => (side ? letter.toLowerCase() : letter))
      .filter((letter) => this.hands[letter] > 0)
      .map((letter) => [letter, this.hands[letter]]));
    return { cells: { ...this.cells }, aside: ["", ""], held };
  }
}

class Morris {
  constructor(setup) {
    const [board, , ...hands] = setup.split(" ");
    this.cells = {};
    board.replaceAll("/", "").split("").forEach((cell, at) => {
      if (cell === "W" || cell === "B") this.cells[MORRIS_POINTS[at]] = cell;
    });
    this.hands = [Number(hands[0] || 0), Number(hands[1] || 0)];
  }

  play(side, text) {
    const [moved, ...taken] = text.toLowerCase().split("x");
    const [from, to] = moved.includes("-") ? moved.split("-") : ["", moved];
    if (from) delete this.cells[from];
    else this.hands[side] -= 1;
    this.cells[to] = "WB"[side];
    for (const point of taken) delete this.cells[point];
  }

  position() {
    return { cells: { ...this.cells }, aside: this.hands.map((count) => (count ? `${count} in hand` : "")) };
  }
}

class Neutron {
  constructor(setup) {
    this.cells = {};
    setup.split(" ")[0].split("/").forEach((row, y) => {
      row.split("").forEach((cell, x) => {
        if (cell !== ".") this.cells[`${"abcde"[x]}${5 - y}`] = cell;
      });
    });
  }

  play(_side, text) {
    for (const [, from, to] of text.matchAll(/([a-e][1-5])-([a-e][1-5])/g)) {
      const piece = this.cells[from];
      delete this.cells[from];
      this.cells[to] = piece;
    }
  }

  position() {
    return { cells: { ...this.cells }, aside: ["", ""] };
  }
}

class Senet {
  constructor(setup) {
    this.cells = {};
    const words = setup.split(" ");
    words[0].split("").forEach((cell, at) => {
      if (cell !== ".") this.cells[at + 1] = cell;
    });
    this.thrown = "";
  }

  play(side, text) {
    if (side === CHANCE) {
      this.thrown = text;
      return;
    }
    this.thrown = "";
    const match = /^(\d+)-(\d+|off)$/.exec(text);
    if (!match) return;
    const [, from, to] = match;
    const man = this.cells[from];
    if (to === "27") { // The trap sends it back to the landing, or to the first free square behind it.
      let square = 15;
      while (this.cells[square]) square += 1;
      delete this.cells[from];
      this.cells[square] = man;
      return;
    }
    const other = to === "off" ? undefined : this.cells[to];
    delete this.cells[from];
    if (to !== "off") this.cells[to] = man;
    if (other) this.cells[from] = other;
  }

  position() {
    const off = ["1", "2"].map((man) => 5 - Object.values(this.cells).filter((cell) => cell === man).length);
    const aside = off.map((count) => (count ? `${count} off` : ""));
    return { cells: { ...this.cells }, aside, thrown: this.thrown };
  }
}

const GAMES = { go: Go, shogi: Shogi, morris: Morris, neutron: Neutron, senet: Senet };

export function knows(game) {
  return game in GAMES;
}

// The position of a set-up, and those behind each of the moves.
export function positions(game, setup, moves) {
  const state = new GAMES[game](setup);
  const found = [state.position()];
  for (const { side, text } of moves) {
    state.play(side, text);
    found.push(state.position());
  }
  return found;
}

// The places that a move touches: where pieces came from, where they went, what was removed.
export function touched(game, text) {
  if (game === "go") return { from: [], to: /^[A-HJ-Z]\d+$/i.test(text) ? [text.toUpperCase()] : [], taken: [] };
  if (game === "shogi") {
    const [from, to] = text.includes("*") ? [[], [text.slice(2, 4)]] : [[text.slice(0, 2)], [text.slice(2, 4)]];
    return { from, to, taken: [] };
  }
  if (game === "morris") {
    const [moved, ...taken] = text.toLowerCase().split("x");
    const [to, from] = moved.split("-").reverse();
    return { from: from ? [from] : [], to: [to], taken };
  }
  const ways = [...text.matchAll(/(\w+)-(\w+)/g)];
  return { from: ways.map((way) => way[1]), to: ways.map((way) => way[2]), taken: [] };
}

// What stands beside the board: players, clocks, state, evaluation, moves, messages, commands.

import { button } from "./elements.js";
import { find, make, shape } from "./shapes.js";
import { has, say, sayCount } from "./texts.js";

const FORMATS = [".sgf", ".kif", ".kifu", ".csa"]; // Of those in which a game can be saved.
const TICK = 100; // Milliseconds between two looks at a running clock.

export function sideName(side) {
  return has(`side.${side}`) ? say(`side.${side}`) : side;
}

export class Panel {
  constructor(actions) {
    this.actions = actions;
    this.shown = null;
    this.since = 0;
    this.clocks = [null, null];
    this.written = {};
    this.listed = []; // The moves in the list, and their game.
    this.listedGame = "";
    this.commands = {};
    const row = find("commands");
    for (const name of ["throw", "pass", "win", "accept", "undo", "hint", "resign", "again"]) {
      this.commands[name] = button(`command.${name}`, () => actions[name]());
      row.append(this.commands[name]);
    }
    this.steps = {};
    for (const [name, sign] of [["first", "«"], ["back", "‹"], ["on", "›"], ["last", "»"]]) {
      const made = make("button", { type: "button", "aria-label": say(`step.${name}`), title: say(`step.${name}`), onclick: () => actions.step(name) }, sign);
      this.steps[name] = made;
      find("steps").append(made);
    }
    this.steps.continue = button("step.continue", () => actions.continue());
    find("steps").append(this.steps.continue);
    this.looks = {};
    for (const name of ["line", "flip", "letters"]) {
      this.looks[name] = button(`command.${name}`, () => actions.look(name), { "aria-pressed": "false" });
      find("looks").append(this.looks[name]);
    }
    find("looks").append(button("command.rules", () => actions.rules()));
    setInterval(() => this.tick(), TICK);
  }

  show(shown, offer) {
    this.shown = shown;
    this.since = performance.now();
    this.players(shown);
    find("status").textContent = this.status(shown);
    find("status").classList.toggle("over", Boolean(shown.result));
    this.buttons(shown, offer);
    this.judgement(shown);
    this.record(shown);
    this.moves(shown);
    this.messages(shown);
  }

  // What a loaded record says, and the lines that continue the position.
  record(shown) {
    const { record, comment, branches } = shown;
    const needed = Boolean(record) || shown.moves.some((move) => move.branches) || branches.length > 0;
    find("record").hidden = !needed;
    if (this.changed("comment", comment)) {
      find("comment").textContent = comment;
      find("comment").scrollTop = 0;
    }
    find("comment").hidden = !record;
    find("headers").hidden = !record;
    if (record && this.changed("headers", record)) {
      const [first, second] = record.players.map((name) => name || "?");
      const key = record.result ? "record.players" : "record.players.open";
      find("headers").querySelector("summary").textContent = say(key, { first, second, result: record.result });
      find("headers").querySelector("dl").replaceChildren(...[["", record.file], ...record.headers].flatMap(([name, text]) => (
        [make("dt", {}, name), make("dd", {}, text)]
      )));
    }
    if (this.changed("branches", branches)) {
      find("branches").replaceChildren(...branches.map((each) => make("button", {
        type: "button",
        "data-branch": each.number,
        "aria-label": sayCount("branch.label", each.moves, { ...each, side: sideName(shown.sides[each.side] || "") }),
        onclick: () => this.actions.branch(each.number),
      }, `${each.number} `, make("b", {}, say(each.number ? "branch" : "branch.now", each)))));
    }
  }

  // Rebuild a part only if what it shows has changed.
  changed(name, value) {
    const text = JSON.stringify(value);
    if (this.written[name] === text) return false;
    this.written[name] = text;
    return true;
  }

  players(shown) {
    const low = this.actions.isFlipped() ? 1 : 0;
    for (const side of [0, 1]) {
      const box = find(side === low ? "first" : "second");
      const player = shown.players[side];
      const active = shown.turn === side && !shown.result && shown.phase !== "stepping";
      box.classList.toggle("active", active);
      if (this.changed(`player ${box.id}`, [side, player, shown.sides[side], shown.captured])) {
        const dead = player.state === "dead";
        box.replaceChildren(
          make("span", { class: `disc ${shown.sides[side]}`, "aria-hidden": "true" }),
          make("span", { class: "name" }, `${player.name === "person" ? say("person") : player.name}`),
          make("span", { class: "side" }, sideName(shown.sides[side])),
          make("span", { class: "state" }, shown.captured[side] ? say("captured", { count: shown.captured[side] }) : ""),
          make("span", { class: "rescue" },
            dead ? button("command.restart", () => this.actions.restart(side), { class: "main restart" }) : null,
            dead || (player.reason && !player.person) ? button("command.person", () => this.actions.person(side), { class: "person" }) : null),
          make("span", { class: "clock" }),
        );
      }
      this.clocks[side] = box.querySelector(".clock");
    }
    this.tick();
  }

  tick() {
    if (!this.shown) return;
    const passed = (performance.now() - this.since) / 1000;
    this.shown.clocks.forEach((clock, side) => {
      const place = this.clocks[side];
      if (!place) return;
      const text = clock ? clockText(clock, clock.running ? passed : 0) : "";
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("short", Boolean(clock) && clock.running && clock.left - passed < 10);
    });
  }

  status(shown) {
    if (shown.result) return shown.result.sentence;
    const dead = shown.players.find((player) => player.state === "dead");
    if (dead) return say("status.dead", dead);
    if (shown.phase === "stepping") return say("status.stepping", shown);
    if (shown.phase === "scoring") {
      if (!shown.scoring.ready) return say("status.scoring.wait");
      return say("status.scoring", shown.scoring);
    }
    if (shown.hinting) return say("status.hinting");
    const side = sideName(shown.sides[shown.turn]);
    const player = shown.players[shown.turn];
    let text = say(shown.throw_due ? "status.throw" : "status.move", { side });
    if (!player.person) text = player.reason ? say("status.silent", player) : say("status.thinking", { side, name: player.name });
    return shown.check ? `${text} – ${say("status.check")}` : text;
  }

  buttons(shown, offer) {
    const texts = shown.ways.filter((way) => way.length === 1).map((way) => way[0]);
    const playing = shown.phase === "playing";
    const persons = shown.players.some((player) => player.person);
    const mine = playing && shown.turn !== null && shown.players[shown.turn].person;
    const visible = {
      throw: shown.game === "senet" && persons,
      pass: shown.game === "go" && persons && shown.phase !== "scoring",
      win: texts.includes("win"),
      accept: shown.phase === "scoring",
      undo: persons,
      hint: persons && shown.phase !== "scoring",
      resign: persons && shown.phase !== "scoring" && !shown.result, // "New game" takes its place.
      again: Boolean(shown.result),
    };
    const enabled = {
      throw: shown.to_throw,
      pass: texts.includes("pass"),
      win: true,
      accept: Boolean(shown.scoring && shown.scoring.ready),
      undo: Boolean(shown.result) || shown.moves.some(({ side }) => side < 2 && shown.players[side].person),
      hint: mine && !shown.throw_due && !shown.hinting,
      resign: playing,
      again: true,
    };
    for (const [name, element] of Object.entries(this.commands)) {
      element.hidden = !visible[name];
      element.disabled = !enabled[name];
      element.classList.toggle("main", name === "accept" || name === "again" || (name === "throw" && shown.to_throw));
    }
    this.steps.first.disabled = this.steps.back.disabled = shown.ply === 0;
    this.steps.on.disabled = this.steps.last.disabled = shown.ply === shown.plies;
    this.steps.continue.disabled = !shown.plies && !shown.result;
    this.looks.flip.hidden = !["shogi", "neutron"].includes(shown.game);
    this.looks.letters.hidden = shown.game !== "shogi";
    for (const [name, element] of Object.entries(this.looks)) {
      element.setAttribute("aria-pressed", String(this.actions.isLooking(name)));
    }
    find("move").disabled = !mine || shown.throw_due;
    if (offer && this.changed("keeping", offer.formats)) {
      const formats = offer.formats.filter((format) => FORMATS.includes(format));
      find("keeping").replaceChildren(
        make("span", { class: "quiet" }, say("command.save")),
        ...formats.map((format) => make("button", {
          type: "button", "aria-label": say("command.save.as", { format }), onclick: () => this.actions.save(format),
        }, format.slice(1).toUpperCase())),
        button("command.close", () => this.actions.close()),
      );
    }
  }

  judgement(shown) {
    const side = sideName(shown.sides[0]);
    const shares = shown.moves.map((move) => move.share);
    const upTo = shares.slice(0, shown.ply).filter((share) => typeof share === "number");
    const latest = shown.ply === shown.plies && shown.evaluation && typeof shown.evaluation.share === "number";
    const share = latest ? shown.evaluation.share : upTo.length ? upTo[upTo.length - 1] : null;
    const percent = share === null ? 50 : Math.round(100 * share);
    find("share").style.width = `${percent}%`;
    find("bar").classList.toggle("empty", share === null);
    find("bar").classList.toggle("light", shown.sides[0] === "white");
    find("bar").setAttribute("aria-label", say("bar", { side, share: percent }));
    const asked = shown.moves.some(({ side }) => side < 2 && !shown.players[side].person);
    let value = say(asked ? "value.never" : "value.none");
    if (share !== null) value = say("value", { side, share: percent });
    if (latest && shown.evaluation.engine) {
      value = say(shown.evaluation.score ? "value.more" : "value.engine", { side, share: percent, score: shown.evaluation.score, engine: shown.evaluation.engine });
    }
    find("value").textContent = value;
    find("value").title = value;
    find("line").textContent = shown.line.length ? say("line", { moves: shown.line.slice(0, 12).join(" ") }) : "";
    this.lines(shown, side);
    if (this.changed("graph", [shares, shown.ply])) this.graph(shares, shown.ply);
  }

  // The lines of a hint, where its engine gives several; the first one is also the expected line.
  lines(shown, side) {
    find("lines").hidden = !shown.hints.length;
    find("line").hidden = shown.hints.length > 0;
    if (!this.changed("lines", shown.hints)) return;
    find("lines").replaceChildren(...shown.hints.map((hint) => {
      const [move, ...rest] = hint.line.split(" ");
      const value = typeof hint.share === "number" ? say("value", { side, share: Math.round(100 * hint.share) }) : "";
      const text = [move, value, rest.slice(0, 11).join(" ")].filter(Boolean).join(" · ");
      return make("li", { title: text }, text);
    }));
  }

  graph(shares, ply) {
    const length = Math.max(shares.length, 20);
    const x = (number) => (300 * number) / length;
    const points = shares.flatMap((share, i) => (typeof share === "number" ? [`${x(i + 1).toFixed(1)},${(58 - 56 * share).toFixed(1)}`] : []));
    const graph = find("graph");
    graph.setAttribute("aria-label", say("graph"));
    graph.replaceChildren(
      shape("path", { class: "middle", d: "M0 30H300" }),
      shape("path", { class: "now", d: `M${x(ply).toFixed(1)} 0V60` }),
      shape("path", { class: "course", d: points.length ? `M${points.join("L")}h0.1` : "M0 0" }),
    );
  }

  moves(shown) {
    const list = find("moves");
    const texts = shown.moves.map((move) => `${move.text} ${move.branches}`);
    const same = this.listedGame === shown.of ? this.listed.findIndex((text, i) => text !== texts[i]) : 0;
    // Only what is new is built: a game of Go has hundreds of moves.
    while (same >= 0 && list.children.length > same) list.lastChild.remove();
    let number = shown.moves.slice(0, list.children.length).filter((move) => move.side !== 2).length;
    for (const move of shown.moves.slice(list.children.length)) {
      number += move.side === 2 ? 0 : 1;
      list.append(this.item(move, shown.sides[move.mover], number));
    }
    [this.listed, this.listedGame] = [texts, shown.of];
    const before = list.querySelector(".current");
    const now = list.children[shown.ply - 1];
    if (before && before !== now) {
      before.classList.remove("current");
      before.firstChild.removeAttribute("aria-current");
    }
    if (now) {
      now.classList.add("current");
      now.firstChild.setAttribute("aria-current", "true");
    }
    const current = list.querySelector(".current");
    // scrollIntoView would also scroll the page on a small window.
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    else if (shown.ply === 0) list.scrollTop = 0;
  }

  item(move, side, number) {
    const thrown = move.side === 2;
    const text = thrown ? say("throw.move", { throw: move.text }) : move.text;
    const disc = make("span", { class: `disc ${side}`, role: "img", "aria-label": sideName(side) });
    const title = move.seconds >= 0.1 ? `${move.seconds.toFixed(1)} s` : null;
    const made = make("button", { type: "button", title, onclick: () => this.actions.goTo(move.ply) },
      thrown ? "" : `${number}. `, disc, ` ${text}`);
    if (move.branches) made.append(make("span", { class: "fork", role: "img", "aria-label": say("branch.mark") }, "▾"));
    return make("li", { class: thrown ? "thrown" : null }, made);
  }

  messages(shown) {
    if (!this.changed("messages", shown.messages)) return;
    find("messages").replaceChildren(...[...shown.messages].reverse().map((message) => (
      make("li", { class: message.kind }, message.kind === "error" ? `⚠ ${message.text}` : message.text)
    )));
  }
}

function clockText(clock, passed) {
  const left = Math.max(clock.left - passed, 0);
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60) % 60;
  const seconds = left < 10 ? (left % 60).toFixed(1) : String(Math.floor(left % 60));
  const padded = seconds.padStart(left < 10 ? 4 : 2, "0");
  const main = hours ? `${hours}:${String(minutes).padStart(2, "0")}:${padded}` : `${minutes}:${padded}`;
  const period = /\+\d+[x/](\d+)/.exec(clock.control);
  return period && clock.periods ? `${main} (${say("periods", { periods: clock.periods, length: period[1] })})` : main;
}

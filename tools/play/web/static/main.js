// The page: it connects, shows the start or a game, and passes commands on.

import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { button, choose, hasKanji, thumbnail, translate } from "./elements.js";
import { define, find, make } from "./shapes.js";
import { Panel } from "./panel.js";
import { askForGame, askForTitle } from "./setup.js";
import { paragraphs, say } from "./texts.js";

const MOST_BYTES = 1 << 22;
const NOTICE = 8000; // Milliseconds that a notice stays.

class Page {
  constructor() {
    translate(document);
    const words = new URLSearchParams(location.hash.slice(1));
    this.token = words.get("token") || "";
    this.game = words.get("game") || "";
    this.greeting = null;
    this.shown = null;
    this.wishes = { flipped: false, letters: !hasKanji(), line: false };
    this.timers = {}; // Of the places for notices.
    this.fault = ""; // Why the last command was refused.
    this.turned = ""; // The game for which the board has been turned to the person's side.
    this.board = new Board(find("board"), {
      play: (text) => this.command("play", { move: text }),
      attempt: (places) => this.command("try", { places }),
      toggle: (point) => this.command("dead", { point }),
      roll: () => this.command("throw"),
      spell: (place) => this.spell(place),
    });
    this.panel = new Panel(this.actions());
    this.connection = new Connection(this.token, {
      connected: () => this.greet(),
      lost: () => this.trouble("trouble.lost"),
      refused: () => this.trouble("trouble.token"),
      news: (message) => this.news(message),
    });
    this.listen();
  }

  actions() {
    const simple = (name) => () => this.command(name);
    return {
      throw: simple("throw"),
      undo: simple("undo"),
      hint: simple("hint"),
      accept: simple("accept"),
      pass: () => this.command("play", { move: "pass" }),
      win: () => this.command("play", { move: "win" }),
      resign: () => this.resign(),
      again: () => this.begin(this.shown.game),
      restart: (side) => this.command("restart", { side }),
      person: (side) => this.command("person", { side }),
      goTo: (ply) => this.command("go_to", { ply }),
      step: (name) => this.step(name),
      continue: () => this.continue(),
      branch: (number) => this.command("variation", { number }),
      look: (name) => this.look(name),
      isLooking: (name) => this.wishes[name === "flip" ? "flipped" : name],
      isFlipped: () => this.wishes.flipped,
      rules: () => this.rules(),
      save: (format) => this.save(format),
      close: () => this.close(),
    };
  }

  listen() {
    find("home").addEventListener("click", () => this.open(""));
    find("help").addEventListener("click", () => this.help());
    find("load").addEventListener("click", () => find("file").click());
    find("file").addEventListener("change", () => this.load());
    find("typed").addEventListener("submit", async (event) => {
      event.preventDefault();
      const move = find("move").value.trim();
      if (move && await this.command("play", { move })) find("move").value = "";
    });
    window.addEventListener("hashchange", () => {
      const game = new URLSearchParams(location.hash.slice(1)).get("game") || "";
      if (game !== this.game) this.open(game);
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || find("dialog").open || !this.shown) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const commands = { u: "undo", h: "hint", t: "throw", p: "pass" };
    if (event.key in commands && !this.panel.commands[commands[event.key]].disabled
        && !this.panel.commands[commands[event.key]].hidden) this.panel.commands[commands[event.key]].click();
    else if (event.key === "PageUp") this.step("back");
    else if (event.key === "PageDown") this.step("on");
    else if (this.shown.branches.some(({ number }) => String(number) === event.key)) this.command("variation", { number: Number(event.key) });
    else return;
    event.preventDefault();
  }

  async greet() {
    const greeting = await this.command("hello", this.wishes);
    if (!greeting) return; // The connection was refused or lost, which has its own handler.
    this.greeting = greeting;
    find("trouble").hidden = true;
    define(this.greeting.definitions);
    this.listGames(this.greeting.games);
    this.listCards();
    const only = this.greeting.games.length === 1 && !location.hash.includes("game=");
    await this.open(this.game || (only ? this.greeting.games[0].name : ""));
  }

  news(message) {
    if (message.games) this.listGames(message.games);
    if (message.ground) this.board.paint(message.ground);
    if (message.shown && message.game === this.game) this.show(message.shown);
  }

  show(shown) {
    const older = this.shown && this.shown.of === this.game && this.shown.version > shown.version;
    if (older) return;
    const before = this.shown && this.shown.of === this.game ? this.shown : null;
    if (before && before.plies !== shown.plies) this.moved(before);
    shown.of = this.game;
    this.shown = shown;
    if (this.turned !== this.game) {
      this.turned = this.game;
      const persons = shown.players.map((player) => player.person);
      const flipped = persons[1] && !persons[0] && ["shogi", "neutron"].includes(shown.game);
      if (flipped !== this.wishes.flipped) {
        this.wishes.flipped = flipped;
        this.command("wish", this.wishes);
      }
    }
    this.board.show(shown);
    this.panel.show(shown, this.greeting.offers.find((offer) => offer.game === shown.game));
    document.title = `${shown.title} – Quintet`;
    document.body.dataset.version = shown.version;
  }

  // After a move, what belongs to the position before it is removed.
  moved(before) {
    const { kind } = find("notice").dataset;
    if (kind === "fault" || kind === "cursor") this.notice("");
    if (before.ways.length) find("move").value = "";
  }

  spell(place) {
    this.notice(say("board.cursor", { place }));
    find("notice").dataset.kind = "cursor";
  }

  async open(game) {
    this.shown = null;
    if (game !== this.game) find("move").value = ""; // It was meant for the other game.
    this.game = game;
    find("notice").textContent = "";
    if (find("trouble").dataset.kind === "fault") find("trouble").hidden = true; // It was about something else.
    const hash = `#token=${this.token}${game ? `&game=${game}` : ""}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    if (game && !(await this.command("watch", { game }))) {
      this.game = "";
      history.replaceState(null, "", `#token=${this.token}`);
      if (this.fault !== "closed") this.notice(say("trouble.gone"));
    }
    find("start").hidden = Boolean(this.game);
    find("table").hidden = !this.game;
    if (!this.game) document.title = "Quintet";
    for (const tab of find("games").children) {
      tab.setAttribute("aria-current", String(tab.dataset.game === this.game));
      if (tab.dataset.game === this.game) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  listGames(games) {
    find("games").replaceChildren(...games.map(({ name, number, game, size, players }) => {
      const [first, second] = players.map((player) => (player === "person" ? say("person") : player));
      const title = say("tab", { number, title: say(`game.${game}`), size: size && !size.includes("x") ? `${size}×${size}` : size.replace("x", "×") }).trim();
      return make("button", {
        type: "button", "data-game": name, title: `${title}, ${say("tab.players", { first, second })}`,
        "aria-current": String(name === this.game), onclick: () => this.open(name),
      }, make("span", {}, title), make("span", { class: "names" }, say("tab.players", { first, second })));
    }));
    if (this.game && this.shown && !games.some(({ name }) => name === this.game)) {
      this.open("");
      this.notice(say("trouble.gone"));
    }
  }

  listCards() {
    find("cards").replaceChildren(...this.greeting.offers.map((offer) => (
      make("li", {}, make("button", { type: "button", class: "card", "data-game": offer.game, onclick: () => this.begin(offer.game) },
        thumbnail(this.greeting.pictures[offer.game]), make("span", {}, say(`game.${offer.game}`))))
    )));
    const { kept, damaged } = this.greeting;
    find("kept").hidden = !kept.length && !damaged.length;
    find("kept-list").replaceChildren(...kept.map((each) => {
      const names = each.players.map((player) => (player === "person" ? say("person") : player));
      const words = say("kept.words", {
        title: say(`game.${each.title}`), first: names[0], second: names[1], moves: each.moves, started: each.started.slice(0, 16).replace("T", " "),
      });
      return make("li", {}, make("span", {}, words), make("span", { class: "row" },
        button("kept.resume", () => this.resume(each.name), { "aria-label": `${say("kept.resume")}: ${words}` }),
        button("kept.forget", () => this.forget(each.name, words), { "aria-label": `${say("kept.forget")}: ${words}` })));
    }), ...damaged.map(({ name, fault }) => make("li", {}, make("span", { class: "fault" }, `⚠ ${fault}`),
      button("kept.delete", () => this.forget(name, fault, ["kept.delete.title", "kept.delete"]), { "aria-label": `${say("kept.delete")}: ${fault}` }))));
  }

  // Send a command; what is wrong is shown here or by the caller, and the promise gives the answer, or null.
  async command(name, values = {}, { tells = true } = {}) {
    try {
      const answer = await this.connection.ask(name, values);
      if (find("notice").classList.contains("fault")) this.notice("");
      return answer;
    } catch (error) {
      this.fault = error.message;
      if (error.message !== "closed" && tells) this.notice(error.message, true);
      this.board.cancel();
      return null;
    }
  }

  notice(text, isFault = false) {
    const place = find(this.game ? "notice" : "trouble");
    place.dataset.kind = isFault ? "fault" : "";
    place.classList.toggle("fault", isFault);
    place.textContent = text && isFault ? `⚠ ${text}` : text;
    if (place.id === "trouble") place.hidden = !text;
    clearTimeout(this.timers[place.id]);
    this.timers[place.id] = setTimeout(() => {
      place.textContent = "";
      if (place.id === "trouble") place.hidden = true;
    }, NOTICE);
  }

  // What stays until the connection is there again.
  trouble(key) {
    const place = find("trouble");
    clearTimeout(this.timers.trouble);
    place.dataset.kind = "";
    place.classList.remove("fault");
    place.textContent = say(key);
    place.hidden = false;
  }

  // Open what a command has opened; the promise says what is wrong, if anything.
  async enter(name, values, { note = "", tells = true } = {}) {
    const answer = await this.command(name, values, { tells });
    if (!answer) return this.fault;
    await this.entered(answer.game, note);
    return "";
  }

  async entered(game, note = "") {
    await this.open(game);
    if (note) this.notice(note);
    find("board").focus({ preventScroll: true });
  }

  async resume(name) {
    await this.enter("resume", { name });
    await this.refresh();
  }

  async forget(name, words, [title, verb] = ["kept.forget.title", "kept.forget"]) {
    const answer = await choose(say(title), [["yes", verb, { class: "main" }], ["no", "kept.leave"]], [make("p", {}, words)]);
    if (answer !== "yes") return;
    await this.command("forget", { name });
    await this.refresh();
  }

  // Ask anew which games are kept.
  async refresh() {
    this.greeting = await this.command("hello") || this.greeting;
    this.listCards();
  }

  async begin(game) {
    const offer = this.greeting.offers.find((each) => each.game === game);
    const lot = (guess) => this.command("lot", { guess });
    const accept = (message) => this.enter("new", message, { note: message.note, tells: false });
    await askForGame(offer, this.greeting.engines, accept, { lot });
  }

  async continue() {
    const offer = this.greeting.offers.find((each) => each.game === this.shown.game);
    const before = this.shown.players;
    const persons = before.every((player) => player.person);
    const accept = async (message) => {
      const same = persons && message.players.every((player) => !Object.keys(player).length);
      if (!same) return this.enter("branch", { players: message.players, ply: this.shown.ply }, { tells: false });
      await this.command("continue");
      return "";
    };
    await askForGame(offer, this.greeting.engines, accept, { isNew: false, players: before });
  }

  step(name) {
    const { ply, plies } = this.shown;
    const targets = { first: 0, back: Math.max(ply - 1, 0), on: Math.min(ply + 1, plies), last: plies };
    this.command("go_to", { ply: targets[name] });
  }

  look(name) {
    const wish = name === "flip" ? "flipped" : name;
    this.wishes[wish] = !this.wishes[wish];
    this.command("wish", this.wishes);
  }

  async resign() {
    const answer = await choose(say("resign.title"), [["yes", "resign.yes", { class: "main" }], ["no", "resign.no"]]);
    if (answer === "yes") this.command("resign");
  }

  async close() {
    const open = !this.shown.result && this.shown.plies > 0;
    const options = open ? [["keep", "close.keep", { class: "main" }], ["forget", "close.forget"]] : [["forget", "command.close", { class: "main" }]];
    const answer = await choose(say("close.title"), [...options, ["no", "close.no"]]);
    if (answer !== "keep" && answer !== "forget") return;
    const { game } = this;
    await this.open("");
    await this.command("close", { game, keep: answer === "keep" });
    await this.refresh();
  }

  async save(format) {
    const answer = await this.command("save", { format });
    if (!answer) return;
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    const link = make("a", { href: URL.createObjectURL(new Blob([bytes])), download: answer.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    if (answer.losses.length) this.notice(say("saved.lost", { format: format.slice(1).toUpperCase(), losses: answer.losses.join("; ") }));
  }

  async load() {
    const [file] = find("file").files;
    find("file").value = "";
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.notice(say("trouble.size"), true);
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    let letters = "";
    for (let i = 0; i < bytes.length; i += 32768) letters += String.fromCharCode(...bytes.subarray(i, i + 32768));
    const message = { name: file.name.slice(-100), data: btoa(letters), players: [{}, {}] };
    const answer = await this.command("load", message);
    if (!answer) return;
    if (answer.game) await this.entered(answer.game);
    else {
      const number = await askForTitle(file.name, answer.titles);
      if (number) await this.enter("load", { ...message, number });
    }
  }

  async rules() {
    const answer = await this.command("rules", { game: this.shown.game });
    if (answer) this.read(say(`game.${this.shown.game}`), [make("pre", { class: "rules" }, answer.text)]);
  }

  help() {
    this.read(say("help.title"), paragraphs("help.text").map((text) => make("p", {}, text)));
  }

  read(title, parts) {
    choose(title, [["close", "help.close", { class: "main", autofocus: true }]], [make("div", { class: "reading" }, ...parts)]);
  }
}

new Page();

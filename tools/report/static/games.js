// The games as the page holds them: columns, and a packed text per game with its moves.

const LOWEST = 33;
const SHARES = 90;
const PER_DECADE = 15;
const SHORTEST = -4;

const WHOLE = new Set(["first", "second", "endings", "reasons", "openings", "setups"]);

export const RESULTS = ["0-1", "1/2-1/2", "1-0"];

export function count(games) {
  return games ? games.number.length : 0;
}

// A game by its place in the columns, without its moves.
export function game(data, at) {
  const { games } = data;
  return {
    at,
    number: games.number[at],
    first: games.first[at],
    second: games.second[at],
    points: games.points[at],
    ending: games.endings[games.ending[at]],
    reason: games.reasons[games.reason[at]],
    opening: games.openings[games.opening[at]],
    book: games.book[at],
    setup: games.setups[games.setup[at]],
    plies: games.plies[at],
    seconds: games.seconds[at],
    repeated: games.repeated[at] === 1,
    started: games.started[at],
  };
}

// The moves of a game: side, text, the expected share of the first side (null: none), seconds.
export function moves(data, at) {
  const [texts, sides, shares, times] = data.games.moves[at].split("|");
  if (!texts) return [];
  return texts.split(" ").map((text, ply) => ({
    side: sides ? Number(sides[ply]) : ply % 2,
    text,
    share: share(shares[ply]),
    seconds: seconds(times[ply]),
  }));
}

function share(sign) {
  return sign === undefined || sign === " " ? null : (sign.charCodeAt(0) - LOWEST) / SHARES;
}

function seconds(sign) {
  const step = sign.charCodeAt(0) - LOWEST;
  return step === 0 ? 0 : 10 ** ((step - 1) / PER_DECADE + SHORTEST);
}

// Games from `from` on are replaced or added, as a page that is connected receives them.
export function extend(games, from, more) {
  if (!games || from === 0) return more;
  for (const [name, values] of Object.entries(more)) {
    games[name] = WHOLE.has(name) ? values : [...games[name].slice(0, from), ...values];
  }
  return games;
}

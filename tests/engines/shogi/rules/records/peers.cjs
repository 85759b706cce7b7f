// Reads {"peer", "format", "text"} a line and answers with the tree that the peer read, and with
// what it writes: {"tree", "kif", "csa", "ki2"}, or {"error"}.
"use strict";
const jkf = require("json-kifu-format");
const tsshogi = require("tsshogi");

function usiSquare(place) {
    return String(place.x) + "abcdefghi"[place.y - 1];
}

function usiMove(move) {
    if (!move.from) {
        const letters = {FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R"};
        return letters[move.piece] + "*" + usiSquare(move.to);
    }
    return usiSquare(move.from) + usiSquare(move.to) + (move.promote ? "+" : "");
}

function fromJkf(moves) {
    let children = [];
    let comments = [];
    for (let at = moves.length - 1; at >= 0; at--) {
        const step = moves[at];
        comments = step.comments || [];
        if (at === 0 && !step.move && !step.special) {
            return {comments, children};
        }
        const now = step.time && step.time.now;
        const node = {
            move: step.move ? usiMove(step.move) : step.special,
            seconds: now ? (now.h || 0) * 3600 + now.m * 60 + now.s : 0,
            comments,
            children,
        };
        const forks = (step.forks || []).map((fork) => fromJkf(fork).children[0]);
        children = [node, ...forks];
    }
    return {comments: [], children};
}

function fromTsshogi(record) {
    function siblings(node) {
        const found = [];
        for (; node; node = node.branch) {
            found.push({
                move: node.move instanceof tsshogi.Move ? node.move.usi : node.move.type,
                seconds: node.elapsedMs / 1000,
                comments: node.comment ? node.comment.replace(/\n$/, "").split("\n") : [],
                children: siblings(node.next),
            });
        }
        return found;
    }
    return siblings(record.first)[0];
}

function playJkf(text) {
    const player = jkf.JKFPlayer.parseJKF(text);
    player.goto(player.kifu.moves.length); // It raises an error for a move that cannot be played.
    return JSON.parse(text);
}

function answer({peer, format, text}) {
    if (peer === "jkf") {
        const parsers = jkf.Parsers;
        const parse = {
            kif: parsers.parseKIF,
            csa: parsers.parseCSA,
            ki2: parsers.parseKI2,
            jkf: playJkf,
        }[format];
        const read = parse(text);
        return {tree: fromJkf(read.moves), jkf: read};
    }
    const read = {
        kif: tsshogi.importKIF,
        csa: tsshogi.importCSA,
        ki2: tsshogi.importKI2,
        jkf: tsshogi.importJKFString,
    }[format];
    const record = read(text);
    if (record instanceof Error) {
        throw record;
    }
    return {
        tree: fromTsshogi(record),
        sfen: record.initialPosition.sfen,
        kif: tsshogi.exportKIF(record, {returnCode: "\r\n"}),
        csa: tsshogi.exportCSA(record),
        ki2: tsshogi.exportKI2(record),
    };
}

const lines = require("fs").readFileSync(0, "utf-8").split("\n").filter(Boolean);
for (const line of lines) {
    let reply;
    try {
        reply = answer(JSON.parse(line));
    } catch (error) {
        reply = {error: String(error)};
    }
    console.log(JSON.stringify(reply));
}

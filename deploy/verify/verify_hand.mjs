#!/usr/bin/env node
// Checks what SettlementService.VerifyHand returned, with Node alone and no packages; README.md has the layout.
//
//   verify_hand.mjs [--root HEX]... [--digest HEX] [FILE]     one answer as JSON, from the file or standard input
//   verify_hand.mjs --lines                                   an answer a line; a verdict a line
//
// As verify_hand.py, written anew from the layout.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const DECK = 52;
const STREETS = [3, 1, 1];
const GAMES = new Map([
  ["holdem", [2, true]],
  ["omaha", [4, true]],
  ["five_card_omaha", [5, true]],
  ["six_card_omaha", [6, true]],
  ["omaha_hi_lo", [4, true]],
  ["five_card_draw", [5, false]],
]);
const CARDS = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));

class Refused extends Error {}

function must(fact, what) {
  if (!fact) throw new Refused(what);
}

// Reading

const EMPTY = { string: () => "", number: () => 0, list: () => [], object: () => ({}) };

function kindOf(value) {
  if (Array.isArray(value)) return "list";
  return value === null ? "null" : typeof value;
}

/** The fields of an object in the order asked for: what is left out is empty, what is unknown is refused. */
function fields(value, what, kinds) {
  must(kindOf(value) === "object", `${what} is no object`);
  must(Object.keys(value).every((key) => Object.hasOwn(kinds, key)), `${what} has unknown fields`);
  return Object.entries(kinds).map(([key, kind]) => {
    const one = Object.hasOwn(value, key) ? value[key] : EMPTY[kind]();
    must(kindOf(one) === kind, `${what}.${key} is no ${kind}`);
    must(kind !== "number" || Number.isSafeInteger(one), `${what}.${key} is no whole number`);
    return one;
  });
}

/** Bytes from base64 in its one canonical form. */
function octets(text, what, length) {
  const value = typeof text === "string" ? Buffer.from(text, "base64") : null;
  must(value !== null && value.toString("base64") === text, `${what} is no base64`);
  must(length === undefined || value.length === length, `${what} has not ${length} bytes`);
  return value;
}

const hash = (...parts) => {
  const sha = createHash("sha256");
  for (const part of parts) sha.update(part);
  return sha.digest();
};
const byte = (value) => Buffer.from([value]);

function name(player) {
  const text = Buffer.from(player);
  return Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), text]);
}

// The deal

function shuffled(seed) {
  const stream = createHash("shake256", { outputLength: 512 }).update(seed).digest();
  const deck = Array.from({ length: DECK }, (_, at) => at);
  let at = 0;
  const next = () => stream.readUInt16LE(2 * at++);
  for (let last = DECK - 1; last > 0; last--) {
    let word = next();
    while (word >= 65536 - (65536 % (last + 1))) word = next();
    const other = word % (last + 1);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

function readDeal(handId, rules, value, players) {
  const [rootTexts, digestText, shares, whole] = fields(value, "deal", {
    deckRoots: "list",
    rulesDigest: "string",
    shares: "list",
    dealDigest: "string",
  });
  const rulesDigest = octets(digestText, "deal.rulesDigest", 32);
  must(hash(rules).equals(rulesDigest), "the rules are not those that the decks are bound to");
  const roots = rootTexts.map((root) => octets(root, "deal.deckRoots", 32));
  must(roots.length > 0 && roots.length < 256, "there is no deck");
  const context = hash("croupier deck 1\0", handId, "\0", rulesDigest);
  const told = [byte(roots.length), ...roots, byte(shares.length)];
  let revealed = false;
  for (const share of shares) {
    const [player, commitmentText, entropyText] = fields(share, "share", {
      playerId: "string",
      commitment: "string",
      entropy: "string",
    });
    const commitment = octets(commitmentText, "commitment", 32);
    const entropy = octets(entropyText, "entropy");
    const known = entropy.length > 0;
    must(!known || entropy.length === 32, "entropy has not 32 bytes");
    must(!known || hash(entropy).equals(commitment), "entropy is not what was committed to");
    revealed ||= known;
    told.push(name(player), commitment, byte(known ? 1 : 0), entropy);
  }
  const seats = [byte(players.length), ...players.flatMap(([seat, player]) => [byte(seat), name(player)])];
  const digest = hash("croupier deal 1\0", context, ...told, ...seats);
  must(octets(whole, "deal.dealDigest", 32).equals(digest), "the deal's digest is another");
  const seed = hash("croupier permutation 1\0", context, ...told);
  const lying = Array.from({ length: DECK }, (_, at) => at);
  const order = roots.map((_, deck) => (revealed ? shuffled(Buffer.concat([byte(deck), seed])) : lying));
  return { roots, context, digest, order };
}

/** Where a path leads to; null where it has not the length of one. */
function rootOf(context, deck, position, card, salt, path) {
  let node = hash(byte(0), context, Buffer.from([deck, position, card]), salt);
  let used = 0;
  for (let width = DECK; width > 1; width = (width + 1) >> 1, position >>= 1) {
    if ((position ^ 1) >= width) continue;
    if (used === path.length) return null;
    const sibling = path[used++];
    node = position % 2 ? hash(byte(1), sibling, node) : hash(byte(1), node, sibling);
  }
  return used === path.length ? node : null;
}

// Who was dealt what; a slot is the number 52 * deck + place

const slotOf = (deck, place) => DECK * deck + place;

function follow(game, seats, exchanges, decks) {
  const count = seats.length;
  const [holeCards, withBoard] = GAMES.get(game);
  let dealt = count * holeCards;
  must(count >= 2 && dealt <= DECK && new Set(seats).size === count, "the players cannot be dealt to");
  must(!(withBoard && exchanges.length), "cards are exchanged in a game without a draw");
  const held = new Map(seats.map((seat, at) => [seat, Array.from({ length: holeCards }, (_, card) => at + count * card)]));
  const whose = new Map([...held].flatMap(([seat, slots]) => slots.map((slot) => [slot, seat])));
  const board = [];
  for (const cards of withBoard ? STREETS : []) {
    for (let card = 1; card <= cards; card++) board.push(dealt + card);
    dealt += cards + 1;
  }
  let stub = Array.from({ length: Math.max(0, DECK - dealt) }, (_, at) => dealt + at);
  const kept = [];
  for (const exchange of exchanges) {
    const [seat, placesText, reshuffledText] = fields(exchange, "exchange", {
      seatNumber: "number",
      places: "string",
      reshuffled: "string",
    });
    const places = [...octets(placesText, "exchange.places")];
    const reshuffled = [...octets(reshuffledText, "exchange.reshuffled")];
    must(held.has(seat) && new Set(places).size === places.length, "an exchange is of no hand");
    must(places.every((place) => place < holeCards), "an exchange is of cards not held");
    if (reshuffled.length) {
      const deck = kept.length + 1;
      const rising = reshuffled.every((place, at) => place < DECK && (at === 0 || place > reshuffled[at - 1]));
      must(deck < decks && rising, "a reshuffle has no deck");
      must(stub.length < places.length, "the stub was reshuffled without need");
      stub = reshuffled.map((place) => slotOf(deck, place));
      kept.push({ shuffledIn: new Set(reshuffled), held: [...held].map(([one, slots]) => [one, [...slots]]) });
    }
    must(places.length <= stub.length, "the stub is too short");
    for (const place of places) {
      const slot = stub.shift();
      held.get(seat)[place] = slot;
      whose.set(slot, seat);
    }
  }
  return { whose, board, kept };
}

function readOpening(deal, value) {
  const [seat, text, deck, place, position, saltText, pathTexts] = fields(value, "opening", {
    seatNumber: "number",
    card: "string",
    deck: "number",
    place: "number",
    position: "number",
    salt: "string",
    path: "list",
  });
  const card = CARDS.indexOf(text);
  must(card >= 0, "there is no such card");
  must(deck >= 0 && deck < deal.roots.length && place >= 0 && place < DECK, "there is no such place");
  must(deal.order[deck][place] === position, "the place was not committed to at this position");
  const salt = octets(saltText, "opening.salt", 32);
  const path = pathTexts.map((one) => octets(one, "opening.path", 32));
  const root = rootOf(deal.context, deck, position, card, salt, path);
  must(root !== null && root.equals(deal.roots[deck]), "the card is not the one that was committed to");
  return { slot: slotOf(deck, place), deck, place, seat, card };
}

/** Every card opened is where its holder's cards came from, or was left out of a reshuffle as it had to be. */
function checkPlaces({ whose, board, kept }, opened) {
  const leftOut = new Map();
  kept.forEach(({ held }, at) => {
    for (const [seat, slots] of held) {
      for (const slot of slots) {
        if (opened.get(slot)?.seat === seat) leftOut.set(slotOf(at + 1, opened.get(slot).card), seat);
      }
    }
  });
  for (const { slot, deck, place, seat, card } of opened.values()) {
    const named = slotOf(deck, card);
    if (deck > 0 && deck <= kept.length && !kept[deck - 1].shuffledIn.has(place)) {
      must(leftOut.get(named) === seat, "a card left out was not held");
      continue;
    }
    if (seat) must(whose.get(slot) === seat, "the card was not dealt to this seat");
    else must(board.includes(slot), "the card was not dealt to the board");
    must(!leftOut.has(named), "a card was dealt that somebody held");
  }
  const shown = board.filter((slot) => opened.has(slot));
  const whole = [0, 3, 4, 5].includes(shown.length) && shown.every((slot, at) => slot === board[at]);
  must(whole, "the board is not whole");
}

function verify(answer) {
  const [handId, rules, dealValue, playerValues, exchanges, openings] = fields(answer, "answer", {
    handId: "string",
    rules: "string",
    deal: "object",
    players: "list",
    exchanges: "list",
    openings: "list",
  });
  must(Object.keys(dealValue).length > 0, "the hand has no proof");
  const table = JSON.parse(rules);
  must(kindOf(table) === "object" && GAMES.has(table.game), "the rules name no game known here");
  const players = playerValues.map((one) => fields(one, "player", { seatNumber: "number", playerId: "string" }));
  must(players.length < 256 && players.every(([seat]) => seat > 0 && seat < 256), "a seat has no number");
  const deal = readDeal(handId, rules, dealValue, players);
  const slots = follow(table.game, players.map(([seat]) => seat), exchanges, deal.roots.length);
  const opened = new Map();
  const cards = new Set();
  for (const value of openings) {
    const opening = readOpening(deal, value);
    must(!opened.has(opening.slot), "a place is opened twice");
    must(!cards.has(slotOf(opening.deck, opening.card)), "a card comes twice");
    opened.set(opening.slot, opening);
    cards.add(slotOf(opening.deck, opening.card));
  }
  checkPlaces(slots, opened);
  return { count: opened.size, roots: deal.roots, digest: deal.digest };
}

function verdict(text) {
  try {
    const proved = verify(JSON.parse(text));
    return { fine: true, told: `proved: ${proved.count} cards`, ...proved };
  } catch (failure) {
    if (failure instanceof Refused) return { fine: false, told: `refused: ${failure.message}` };
    if (failure instanceof SyntaxError) return { fine: false, told: "refused: it is no JSON" };
    throw failure;
  }
}

function main(words) {
  const roots = [];
  let digest, file, lines;
  while (words.length) {
    const word = words.shift();
    if (word === "--lines") lines = true;
    else if (word === "--root") roots.push(words.shift().toLowerCase());
    else if (word === "--digest") digest = words.shift().toLowerCase();
    else file = word;
  }
  const text = readFileSync(file ?? 0, "utf8");
  if (lines) {
    const verdicts = text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined).map(verdict);
    console.log(verdicts.map((one) => one.told).join("\n"));
    return verdicts.every((one) => one.fine) ? 0 : 1;
  }
  const one = verdict(text);
  if (one.fine && roots.length && one.roots.map((root) => root.toString("hex")).join() !== roots.join()) {
    one.fine = false;
    one.told = "refused: the decks are not those committed to";
  }
  if (one.fine && digest && one.digest.toString("hex") !== digest) {
    one.fine = false;
    one.told = "refused: the deal is not the one that was told";
  }
  console.log(one.told);
  return one.fine ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));

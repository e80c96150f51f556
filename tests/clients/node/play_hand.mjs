// Two players play one hand: node play_hand.mjs [HOST:PORT]
//
// Opens a table, gives both players chips and seats, answers each decision from the answer before it, and tells
// what a watcher of the table hears. The contract is read from proto/ as it is, nothing is generated.

import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const target = process.argv[2] ?? "127.0.0.1:50051";
const contract = protoLoader.loadSync(
  ["table", "seat", "betting", "settlement"].map((name) => `croupier/v1/${name}_service.proto`),
  {
    includeDirs: [process.env.CROUPIER_PROTO ?? fileURLToPath(new URL("../../../proto", import.meta.url))],
    keepCase: true,
    longs: Number, // chips are int64: exact up to 2^53 this way
    enums: String,
    oneofs: true,
    defaults: true,
  },
);
const { croupier } = grpc.loadPackageDefinition(contract);

/** A service whose unary methods return promises and whose changes carry a request_id of their own. */
function connect(Service) {
  const stub = new Service(target, grpc.credentials.createInsecure());
  const call = (method, request) =>
    promisify(stub[method].bind(stub))({ request_id: randomUUID(), ...request });
  return { stub, call };
}

const tables = connect(croupier.v1.TableService);
const seats = connect(croupier.v1.SeatService);
const betting = connect(croupier.v1.BettingService);
const settlement = connect(croupier.v1.SettlementService);

/** Chips for the wallet, a seat, and chips for the table. */
async function seat(table, players) {
  for (const [index, player_id] of players.entries()) {
    const where = { table_id: table.table_id, player_id };
    await settlement.call("Deposit", { player_id, currency: table.options.currency, amount: 1000 });
    await seats.call("ReserveSeat", { ...where, seat_number: index + 1, vouched: { has_pass: true } });
    await seats.call("BuyIn", { ...where, amount: table.options.stakes.max_buy_in });
  }
}

/** The first decision of the hand that starts by itself once two players are there. */
async function firstDecision(table_id, players) {
  for (;;) {
    for (const player_id of players) {
      const { decision } = await betting.call("GetLegalActions", { table_id, player_id });
      if (decision?.player_id === player_id) return decision;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The hand to its end: every answer names the decision that comes next. */
async function play(table_id, first) {
  let decision = first;
  while (decision?.hand_id === first.hand_id) {
    const { player_id, hand_id, action_sequence } = decision;
    const request = { table_id, player_id, hand_id, action_sequence, ...choose(decision) };
    decision = (await betting.call("Act", request)).next_decision;
  }
}

/** Opens with the least raise, then checks or calls. */
function choose({ action_sequence, legal_actions: legal }) {
  if (action_sequence === 1 && legal.min_raise_to) {
    return { action: "ACTION_KIND_RAISE_TO", amount: legal.min_raise_to };
  }
  return { action: legal.can_check ? "ACTION_KIND_CHECK" : "ACTION_KIND_CALL" };
}

/** Tells every event of the table, from its first to its last. */
async function watch(table_id) {
  for await (const message of tables.stub.WatchTable({ table_id, resume_after_sequence: 0 })) {
    for (const event of message.events?.events ?? []) {
      console.log(`${String(event.sequence).padStart(3)} ${told(event)}`);
    }
  }
}

/** An event in words. */
function told(event) {
  const it = event[event.event];
  switch (event.event) {
    case "bought_in":
      return `${it.player_id} buys in at seat ${it.seat_number}`;
    case "hand_started":
      return `hand ${it.hand_id}, button at seat ${it.button_seat}`;
    case "blind_posted":
      return `seat ${it.seat_number} posts a blind of ${it.paid}`;
    case "checked":
      return `seat ${it.seat_number} checks`;
    case "called":
      return `seat ${it.seat_number} calls ${it.paid}`;
    case "raised":
      return `seat ${it.seat_number} raises to ${it.street_bet}`;
    case "street_dealt":
      return `${it.street.replace("STREET_", "").toLowerCase()}: ${it.cards.join(" ")}`;
    case "hole_cards_shown":
      return `seat ${it.seat_number} shows ${it.hole_cards.join(" ")}`;
    case "pot_awarded": {
      const awards = it.awards.map((award) => `seat ${award.seat_number} wins ${award.amount}`);
      return `pot of ${it.amount}, rake ${it.rake}: ${awards.join(", ")}`;
    }
    case "hand_ended": {
      const results = it.results.map(({ seat_number, net }) => `seat ${seat_number} ${net < 0 ? "" : "+"}${net}`);
      return `hand over: ${results.join(", ")}, rake ${it.rake}`;
    }
    default:
      return event.event.replaceAll("_", " ");
  }
}

const run = randomUUID().slice(0, 6);
const players = [`ann-${run}`, `bob-${run}`];
const { table } = await tables.call("CreateTable", {
  house_id: "puzzle_pirates",
  structure: "BET_STRUCTURE_NO_LIMIT",
  min_bet: 2,
  seat_count: 2,
  name: "Example",
});
const watching = watch(table.table_id);
await seat(table, players);
await play(table.table_id, await firstDecision(table.table_id, players));
await tables.call("CloseTable", { table_id: table.table_id });
await watching;
for (const player_id of players) {
  const { balance } = await settlement.call("GetBalance", { player_id, currency: table.options.currency });
  console.log(`${player_id} has ${balance.available} ${balance.currency} in the wallet`);
}
for (const { stub } of [tables, seats, betting, settlement]) stub.close();

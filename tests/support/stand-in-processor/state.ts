import { randomBytes } from "node:crypto";
import type { Fields } from "./form-fields";

// biome-ignore lint/suspicious/noExplicitAny: objects of the processor, looked at by tests only
export type Thing = Record<string, any>;

const id = (kind: string) => `${kind}_${randomBytes(8).toString("hex")}`;
const copy = (thing: Thing): Thing => structuredClone(thing);

/** What the processor knows, and what its customers do there. Each act answers the event that tells of it. */
export class ProcessorState {
  readonly things = new Map<string, Thing>();
  readonly events: Thing[] = [];

  read(path: string, query: URLSearchParams): Thing | null {
    const [kind, ...rest] = path.split("/");
    if (kind === "events" && rest.length === 0) return this.#list(query);
    if (path === "checkout/sessions") return this.#sessions(query);
    if (kind === "balance") return this.#balance();
    const name = rest.at(-1) ?? "";
    const event = this.events.find((each) => each.id === name);
    const thing = event ?? this.things.get(name);
    return thing === undefined ? null : this.#expanded(copy(thing));
  }

  write(path: string, fields: Fields): Thing | null {
    if (path === "customers") return this.#keep({ id: id("cus"), object: "customer", metadata: fields.metadata ?? {} });
    if (path === "checkout/sessions") return this.#openSession(fields);
    const [kind, name = "", verb] = path.split("/");
    const thing = this.things.get(name);
    if (thing === undefined) return null;
    if (kind === "customers") return Object.assign(thing, fields);
    if (kind === "payment_methods" && verb === "detach") return this.#detach(thing);
    return null;
  }

  /** What customers have paid and not got back; all of it is still pending. */
  #balance(): Thing {
    const charges = [...this.things.values()].filter(({ object }) => object === "charge");
    const amount = charges.reduce((sum, charge) => sum + charge.amount - charge.amount_refunded, 0);
    const pending = [{ amount, currency: "usd" }];
    return { object: "balance", available: [{ amount: 0, currency: "usd" }], pending, livemode: false };
  }

  /** The customer pays, by card at once. */
  pay(sessionId: string, more: Thing = {}): Thing {
    const session = this.things.get(sessionId) as Thing;
    const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040 };
    const charge = this.#keep({
      id: id("ch"),
      object: "charge",
      amount: session.amount_total,
      amount_refunded: 0,
      currency: session.currency,
      metadata: {},
      receipt_url: "https://pay.example/receipt",
      payment_method_details: { card },
    });
    const intent = this.#keep({
      id: id("pi"),
      object: "payment_intent",
      metadata: session.intent_metadata,
      latest_charge: charge.id,
    });
    charge.payment_intent = intent.id;
    Object.assign(session, { status: "complete", payment_status: "paid", payment_intent: intent.id, ...more });
    return this.happen("checkout.session.completed", session);
  }

  /** Money goes back; `cents` more than before. */
  refund(sessionId: string, cents: number): Thing {
    const charge = this.chargeOf(sessionId);
    charge.amount_refunded += cents;
    return this.happen("charge.refunded", charge);
  }

  dispute(sessionId: string, cents: number): Thing {
    const { id: chargeId, payment_intent, currency } = this.chargeOf(sessionId);
    const status = "needs_response";
    const dispute = {
      id: id("dp"),
      object: "dispute",
      amount: cents,
      charge: chargeId,
      payment_intent,
      currency,
      status,
    };
    return this.happen("charge.dispute.created", this.#keep(dispute));
  }

  closeDispute(disputeId: string, status: "won" | "lost"): Thing {
    return this.happen("charge.dispute.closed", Object.assign(this.things.get(disputeId) as Thing, { status }));
  }

  /** The customer saves a card on a set-up page. */
  saveCard(sessionId: string, card: Thing = {}): Thing {
    const session = this.things.get(sessionId) as Thing;
    const { customer } = session;
    const full = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040, ...card };
    const method = this.#keep({ id: id("pm"), object: "payment_method", type: "card", customer, card: full });
    const intent = this.#keep({
      id: id("seti"),
      object: "setup_intent",
      status: "succeeded",
      customer,
      payment_method: method.id,
    });
    Object.assign(session, { status: "complete", payment_status: "no_payment_required", setup_intent: intent.id });
    return this.happen("checkout.session.completed", session);
  }

  /** Records an event about a thing as it is at this moment. */
  happen(type: string, thing: Thing): Thing {
    const event = {
      id: id("evt"),
      object: "event",
      type,
      livemode: false,
      created: Math.floor(Date.now() / 1_000),
      data: { object: copy(thing) },
    };
    this.events.unshift(event);
    return event;
  }

  chargeOf(sessionId: string): Thing {
    const intent = this.things.get((this.things.get(sessionId) as Thing).payment_intent) as Thing;
    return this.things.get(intent.latest_charge) as Thing;
  }

  #openSession(fields: Fields): Thing {
    const lines = Object.values((fields.line_items ?? {}) as Fields) as Fields[];
    const amount = lines.reduce((sum, line) => sum + Number((line.price_data as Fields).unit_amount), 0);
    const isPayment = fields.mode === "payment";
    const session = this.#keep({
      id: id("cs_test"),
      object: "checkout.session",
      mode: fields.mode,
      status: "open",
      livemode: false,
      created: Math.floor(Date.now() / 1_000),
      customer: fields.customer,
      client_reference_id: fields.client_reference_id,
      metadata: fields.metadata,
      intent_metadata: (fields.payment_intent_data as Fields | undefined)?.metadata ?? {},
      line_items: lines,
      success_url: fields.success_url,
      currency: "usd",
      payment_status: "unpaid",
      payment_intent: null,
      setup_intent: null,
      amount_subtotal: isPayment ? amount : null,
      amount_total: isPayment ? amount : null,
      total_details: isPayment ? { amount_tax: 0 } : null,
    });
    session.url = `https://checkout.example/${session.id}`;
    return session;
  }

  #sessions(query: URLSearchParams): Thing {
    const since = Number(query.get("created[gte]") ?? 0);
    const data = [...this.things.values()]
      .filter(({ object, customer }) => object === "checkout.session" && customer === query.get("customer"))
      .filter(({ created }) => created >= since)
      .map((session) => this.#expanded(copy(session)));
    return { object: "list", data, has_more: false };
  }

  #detach(method: Thing): Thing {
    method.customer = null;
    this.happen("payment_method.detached", method);
    return method;
  }

  #list(query: URLSearchParams): Thing {
    const since = Number(query.get("created[gte]") ?? 0);
    const types = [...query].filter(([name]) => name.startsWith("types[")).map(([, type]) => type);
    const all = this.events.filter(({ created, type }) => created >= since && types.includes(type));
    const from = all.findIndex((event) => event.id === query.get("starting_after")) + 1;
    const limit = Number(query.get("limit") ?? 10);
    const data = all.slice(from, from + limit);
    return { object: "list", data, has_more: from + limit < all.length };
  }

  #expanded(thing: Thing): Thing {
    for (const field of ["payment_intent", "latest_charge", "payment_method"]) {
      const inner =
        typeof thing[field] === "string" && thing.object !== "charge" ? this.things.get(thing[field]) : undefined;
      if (inner !== undefined) thing[field] = this.#expanded(copy(inner));
    }
    return thing;
  }

  #keep(thing: Thing): Thing {
    this.things.set(thing.id, thing);
    return thing;
  }
}

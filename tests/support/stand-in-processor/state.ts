import { randomBytes } from "node:crypto";
import type { Fields } from "./form-fields";

// biome-ignore lint/suspicious/noExplicitAny: objects of the processor, read by tests only
export type Thing = Record<string, any>;

const id = (kind: string) => `${kind}_${randomBytes(8).toString("hex")}`;
const isOnItsWay = ({ status }: Thing) => status !== "failed" && status !== "canceled";
const copy = (thing: Thing): Thing => structuredClone(thing);

/** The processor's objects, and the actions of its customers. Each action returns its event. */
export class ProcessorState {
  readonly things = new Map<string, Thing>();
  readonly events: Thing[] = [];
  /** Base URL of the processor's pages. */
  checkout = "https://checkout.example";
  /** The account's tax settings: the rate in percent, and the default tax behaviour of prices. */
  tax: { percent: number; behavior: "inclusive" | "exclusive" | null } = { percent: 0, behavior: null };

  /** Webhook endpoints, and the kinds of objects that the API key may not read. */
  readonly endpoints: Thing[] = [];
  readonly denied = new Set<string>();

  read(path: string, query: URLSearchParams): Thing | null {
    const [kind = "", ...rest] = path.split("/");
    if (this.denied.has(kind))
      return { error: { status: 403, message: "Having the 'rak_event_read' permission would help." } };
    if (kind === "webhook_endpoints") return { object: "list", data: this.endpoints, has_more: false };
    if (kind === "events" && rest.length === 0) return this.#list(query);
    if (path === "checkout/sessions") return this.#sessions(query);
    if (kind === "balance") return this.#balance();
    if (kind === "payment_intents" && rest.length === 0) return this.#listIntents(query);
    const name = rest.at(-1) ?? "";
    const event = this.events.find((each) => each.id === name);
    const thing = event ?? this.things.get(name);
    return thing === undefined ? null : this.#expanded(copy(thing));
  }

  write(path: string, fields: Fields): Thing | null {
    if (path === "customers") return this.keep({ id: id("cus"), object: "customer", metadata: fields.metadata ?? {} });
    if (path === "checkout/sessions") return this.#openSession(fields);
    if (path === "payment_intents") return this.#charge(fields);
    const [kind, name = "", verb] = path.split("/");
    const thing = this.things.get(name);
    if (thing === undefined) return null;
    if (kind === "payment_intents" && verb === "cancel") return Object.assign(thing, { status: "canceled" });
    if (kind === "customers") return Object.assign(thing, fields);
    if (kind === "payment_methods" && verb === "detach") return this.#detach(thing);
    return null;
  }

  /** Returns the balance: all payments less refunds, all of it still pending. */
  #balance(): Thing {
    const charges = [...this.things.values()].filter(({ object }) => object === "charge");
    const amount = charges.reduce((sum, charge) => sum + charge.amount - charge.amount_refunded, 0);
    const pending = [{ amount, currency: "usd" }];
    return { object: "balance", available: [{ amount: 0, currency: "usd" }], pending, livemode: false };
  }

  /** The customer pays; a card payment succeeds at once. */
  pay(sessionId: string, more: Thing = {}): Thing {
    const session = this.things.get(sessionId) as Thing;
    Object.assign(session, this.#taxed(session), more);
    const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040 };
    const charge = this.keep({
      id: id("ch"),
      object: "charge",
      amount: session.amount_total,
      amount_refunded: 0,
      currency: session.currency,
      metadata: {},
      receipt_url: "https://pay.example/receipt",
      payment_method_details: { card },
    });
    const intent = this.keep({
      id: id("pi"),
      object: "payment_intent",
      metadata: session.intent_metadata,
      latest_charge: charge.id,
    });
    charge.payment_intent = intent.id;
    Object.assign(session, { status: "complete", payment_status: "paid", payment_intent: intent.id, url: null });
    return this.happen("checkout.session.completed", session);
  }

  /** The payment page expires without a payment. */
  expire(sessionId: string): Thing {
    return this.happen(
      "checkout.session.expired",
      Object.assign(this.things.get(sessionId) as Thing, { status: "expired", url: null }),
    );
  }

  /** Sets the answer of a saved card: a decline code, a request for authentication by the bank, or null for success. */
  behave(methodId: string, answer: string | null): void {
    (this.things.get(methodId) as Thing).answer = answer;
  }

  /** Refunds `cents` more. Returns the event of the charge; the event of the refund precedes it. */
  refund(sessionId: string, cents: number, status = "succeeded"): Thing {
    const charge = this.chargeOf(sessionId);
    const { id: chargeId, payment_intent, currency } = charge;
    const refund = {
      id: id("re"),
      object: "refund",
      amount: cents,
      charge: chargeId,
      payment_intent,
      currency,
      status,
    };
    charge.amount_refunded += cents;
    this.happen("refund.created", this.keep({ ...refund, metadata: {} }));
    return this.happen("charge.refunded", charge);
  }

  /**
   * The bank returns a refund, or it is cancelled: the named one, or the latest that is pending or completed. The
   * charge no longer counts it, and sends no event.
   */
  failRefund(sessionId: string, status: "failed" | "canceled" = "failed", refundId?: string): Thing[] {
    const charge = this.chargeOf(sessionId);
    const refund = [...this.things.values()].findLast(
      (thing) =>
        thing.object === "refund" &&
        thing.charge === charge.id &&
        isOnItsWay(thing) &&
        (refundId === undefined || thing.id === refundId),
    ) as Thing;
    Object.assign(refund, { status, ...(status === "failed" && { failure_reason: "expired_or_canceled_card" }) });
    charge.amount_refunded -= refund.amount;
    const types = ["refund.updated", "charge.refund.updated", ...(status === "failed" ? ["refund.failed"] : [])];
    return types.map((type) => this.happen(type, refund));
  }

  /** Completes a refund that was pending or waited for the customer. */
  completeRefund(refundId: string): Thing[] {
    const refund = Object.assign(this.things.get(refundId) as Thing, { status: "succeeded" });
    return ["refund.updated", "charge.refund.updated"].map((type) => this.happen(type, refund));
  }

  /** The cardholder's bank takes the money back; with a status `warning_…` it only opens an inquiry. */
  dispute(sessionId: string, cents: number, status = "needs_response"): Thing {
    const { id: chargeId, payment_intent, currency } = this.chargeOf(sessionId);
    const dispute = {
      id: id("dp"),
      object: "dispute",
      amount: cents,
      charge: chargeId,
      payment_intent,
      currency,
      status,
    };
    return this.happen("charge.dispute.created", this.keep(dispute));
  }

  closeDispute(disputeId: string, status: "won" | "lost" | "warning_closed"): Thing {
    return this.happen("charge.dispute.closed", Object.assign(this.things.get(disputeId) as Thing, { status }));
  }

  /** Changes the status of a dispute or inquiry; `type` is the event type, which depends on the effect on the money. */
  moveDispute(disputeId: string, status: string, type: string): Thing {
    return this.happen(type, Object.assign(this.things.get(disputeId) as Thing, { status }));
  }

  /** The card network warns of possible fraud. */
  warnOfFraud(sessionId: string): Thing {
    const { id: charge, payment_intent } = this.chargeOf(sessionId);
    const object = "radar.early_fraud_warning";
    const warning = { id: id("issfr"), object, actionable: true, charge, payment_intent, fraud_type: "misc" };
    return this.happen("radar.early_fraud_warning.created", this.keep(warning));
  }

  /** The customer saves a card on a set-up page. */
  saveCard(sessionId: string, card: Thing = {}): Thing {
    const session = this.things.get(sessionId) as Thing;
    const { customer } = session;
    const full = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040, ...card };
    const method = this.keep({ id: id("pm"), object: "payment_method", type: "card", customer, card: full });
    const intent = this.keep({
      id: id("seti"),
      object: "setup_intent",
      status: "succeeded",
      customer,
      payment_method: method.id,
    });
    Object.assign(session, { status: "complete", payment_status: "no_payment_required", setup_intent: intent.id });
    return this.happen("checkout.session.completed", session);
  }

  /** Records an event with the current state of an object. */
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

  /** Returns the charge of a checkout session or of a payment intent. */
  chargeOf(name: string): Thing {
    const thing = this.things.get(name) as Thing;
    const intent = thing.object === "payment_intent" ? thing : (this.things.get(thing.payment_intent) as Thing);
    return this.things.get(intent.latest_charge) as Thing;
  }

  /** Charges a saved card without the customer; a declined card results in an error. */
  #charge(fields: Fields): Thing {
    const method = this.things.get(fields.payment_method as string);
    if (method === undefined || method.customer !== fields.customer)
      return { error: { type: "invalid_request_error", code: "resource_missing", message: "No such payment method." } };
    if ((fields.automatic_payment_methods as Fields | undefined)?.allow_redirects !== "never" && !fields.return_url)
      return { error: { type: "invalid_request_error", message: "A `return_url` must be specified." } };
    const intent = this.keep({
      id: id("pi"),
      object: "payment_intent",
      amount: Number(fields.amount),
      amount_received: 0,
      currency: fields.currency,
      customer: fields.customer,
      livemode: false,
      created: Math.floor(Date.now() / 1_000),
      metadata: fields.metadata,
      payment_method: method.id,
      status: "requires_payment_method",
      latest_charge: null,
      last_payment_error: null,
    });
    if (method.answer) return this.#refuse(intent, method.answer);
    const charge = this.#chargeFor(intent, { amount: intent.amount, card: method.card });
    Object.assign(intent, { status: "succeeded", amount_received: intent.amount, latest_charge: charge.id });
    this.happen("payment_intent.succeeded", intent);
    return this.#expanded(copy(intent));
  }

  #refuse(intent: Thing, code: string): Thing {
    const wantsCustomer = code === "authentication_required";
    intent.last_payment_error = { code: wantsCustomer ? code : "card_declined", decline_code: code };
    this.happen("payment_intent.payment_failed", intent);
    const message = `The card was declined: ${code}.`;
    return { error: { type: "card_error", ...intent.last_payment_error, message, payment_intent: copy(intent) } };
  }

  #chargeFor(intent: Thing, { amount, card }: { amount: number; card: Thing }): Thing {
    return this.keep({
      id: id("ch"),
      object: "charge",
      amount,
      amount_refunded: 0,
      currency: intent.currency,
      metadata: {},
      payment_intent: intent.id,
      receipt_url: "https://pay.example/receipt",
      payment_method_details: { card },
    });
  }

  #listIntents(query: URLSearchParams): Thing {
    const since = Number(query.get("created[gte]") ?? 0);
    const all = [...this.things.values()].filter(
      ({ object, customer, created }) =>
        object === "payment_intent" && customer === query.get("customer") && created >= since,
    );
    return { object: "list", data: all.reverse().map(copy), has_more: false };
  }

  /** Adds tax to the amounts of a session, as happens once the customer's address is known. */
  #taxed({ amount_subtotal, automatic_tax, line_items }: Thing): Thing {
    if (!automatic_tax.enabled) return {};
    let [tax, onTop] = [0, 0];
    for (const { price_data } of line_items) {
      const price = Number(price_data.unit_amount);
      const isInclusive = (price_data.tax_behavior ?? this.tax.behavior) === "inclusive";
      const rate = this.tax.percent / 100;
      const own = Math.round(isInclusive ? price - price / (1 + rate) : price * rate);
      tax += own;
      if (!isInclusive) onTop += own;
    }
    return {
      amount_total: amount_subtotal + onTop,
      total_details: { amount_tax: tax, amount_discount: 0, amount_shipping: 0 },
    };
  }

  #openSession(fields: Fields): Thing {
    if (fields.payment_method_types !== undefined)
      return { error: { type: "invalid_request_error", code: "parameter_unknown", message: "payment_method_types" } };
    if (fields.customer !== undefined && !this.things.has(fields.customer as string))
      return {
        error: {
          type: "invalid_request_error",
          code: "resource_missing",
          param: "customer",
          message: "No such customer.",
        },
      };
    const taxes = (fields.automatic_tax as Fields | undefined)?.enabled === "true";
    const said = Object.values((fields.line_items ?? {}) as Fields).map(
      (line) => ((line as Fields).price_data as Fields).tax_behavior,
    );
    if (taxes && said.some((behavior) => (behavior ?? this.tax.behavior) === null))
      return { error: { type: "invalid_request_error", message: "Every price needs a `tax_behavior`." } };
    const lines = Object.values((fields.line_items ?? {}) as Fields) as Fields[];
    const amount = lines.reduce((sum, line) => sum + Number((line.price_data as Fields).unit_amount), 0);
    const isPayment = fields.mode === "payment";
    const session = this.keep({
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
      total_details: isPayment ? { amount_tax: 0, amount_discount: 0, amount_shipping: 0 } : null,
      automatic_tax: { enabled: taxes },
      adaptive_pricing: fields.adaptive_pricing ?? null,
      currency_conversion: null,
    });
    session.url = `${this.checkout}/${session.id}`;
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
    if (types.length > 20) return { error: { type: "invalid_request_error", message: "`types` has up to 20 names." } };
    const isAsked = (type: string) => types.length === 0 || types.includes(type);
    const all = this.events.filter(({ created, type }) => created >= since && isAsked(type));
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

  /** Stores an object under its id. */
  keep(thing: Thing): Thing {
    this.things.set(thing.id, thing);
    return thing;
  }
}

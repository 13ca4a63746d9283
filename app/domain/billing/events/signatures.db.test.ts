import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import { receiveEvent } from "../index.server";

const SECRETS = ["whsec_old", "whsec_new"];
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
  setConfig(readConfig({ ...bench.settings, STRIPE_WEBHOOK_SECRET: SECRETS.join(",") }));
}, 120_000);
afterAll(() => bench?.close());

let count = 0;
const anEvent = () => {
  count += 1;
  return { id: `evt_${count}`, type: "invoice.paid", livemode: false, created: 1_790_000_000, data: { object: {} } };
};
const receive = (payload: string, signature: string) =>
  receiveEvent(db(), new TextEncoder().encode(payload), signature).then(
    () => "taken",
    ({ code }) => code,
  );
const now = () => Math.floor(Date.now() / 1_000);
const v1 = (signature: string) => signature.split(",").find((part) => part.startsWith("v1=")) as string;

describe("a delivery is taken", () => {
  test.each(SECRETS)("with the signature of each secret while one is exchanged: %s", async (secret) => {
    const { payload, signature } = bench.processor.signed(anEvent(), { secret });
    expect(await receive(payload, signature)).toBe("taken");
  });

  test("where one of several signatures fits, beside those of other schemes", async () => {
    const timestamp = now();
    const event = anEvent();
    const [strange, ours] = ["whsec_strange", "whsec_new"].map((secret) =>
      bench.processor.signed(event, { secret, timestamp }),
    ) as [{ signature: string }, { payload: string; signature: string }];
    const signature = `t=${timestamp},v0=${"0".repeat(64)},${v1(strange.signature)},${v1(ours.signature)}`;
    expect(await receive(ours.payload, signature)).toBe("taken");
  });

  test.each([-290, 290])("when it was signed %i seconds from our time", async (offset) => {
    const { payload, signature } = bench.processor.signed(anEvent(), {
      secret: "whsec_old",
      timestamp: now() + offset,
    });
    expect(await receive(payload, signature)).toBe("taken");
  });
});

describe("a delivery is refused", () => {
  test.each([-310, 310])("when it was signed %i seconds from our time", async (offset) => {
    const { payload, signature } = bench.processor.signed(anEvent(), {
      secret: "whsec_old",
      timestamp: now() + offset,
    });
    expect(await receive(payload, signature)).toBe("invalid_request");
  });

  test("when it names two times, one of them old", async () => {
    const timestamp = now() - 9_000;
    const { payload, signature } = bench.processor.signed(anEvent(), { secret: "whsec_old", timestamp });
    expect(await receive(payload, `t=${now()},${signature}`)).toBe("invalid_request");
    expect(await receive(payload, `${signature},t=${now()}`)).toBe("invalid_request");
  });

  test("when a proxy has written its body anew", async () => {
    const { payload, signature } = bench.processor.signed(anEvent(), { secret: "whsec_old" });
    expect(await receive(JSON.stringify(JSON.parse(payload)), signature)).toBe("invalid_request");
  });

  test.each(["", "t=", "t=now,v1=00", "v1=00", "t=1790000000", "t=-1,v1=00"])(
    "with %j for a signature",
    async (text) => {
      expect(await receive(bench.processor.signed(anEvent()).payload, text)).toBe("invalid_request");
    },
  );

  test("that is signed and no JSON", async () => {
    const [payload, timestamp] = ["<html>", now()];
    const digest = createHmac("sha256", "whsec_old").update(`${timestamp}.${payload}`).digest("hex");
    expect(await receive(payload, `t=${timestamp},v1=${digest}`)).toBe("invalid_request");
  });
});

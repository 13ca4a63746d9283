import { createHash } from "node:crypto";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { startGateway } from "../../support/gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
let sdk: OpenAI;
beforeAll(async () => {
  gateway = await startMediaGateway();
  sdk = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const lastSeen = () => gateway.supplier.seen.at(-1)!;
const png = (size = 100_000) => {
  const bytes = Buffer.alloc(size, 7);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  return bytes;
};
const jpg = () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const webp = () => Buffer.from("RIFF\x10\x00\x00\x00WEBPVP8 ", "latin1");

type Part = [name: string, value: string | Buffer];
function form(...parts: Part[]): FormData {
  const made = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") made.append(name, value);
    else made.append(name, new Blob([value as BlobPart]), "upload.bin");
  }
  return made;
}
const fine = (...more: Part[]) => form(["model", "paint"], ["prompt", "a"], ["image", png(64)], ...more);
const edit = (body: FormData) => gateway.post("/v1/images/edits", body);

describe("the official SDK, unchanged", () => {
  test("one image: it arrives byte for byte, and the tokens that the supplier reports are charged", async () => {
    const bytes = png();
    const { data, response } = await sdk.images
      .edit({ model: "paint", prompt: "at night", n: 2, image: await toFile(bytes, "a.png", { type: "image/png" }) })
      .withResponse();
    expect(data.data!.map(({ b64_json }) => b64_json)).toEqual(["iVBORw0KGgo=", "iVBORw0KGgo="]);
    expect(lastSeen()).toMatchObject({
      path: "/v1/images/edits",
      body: { model: "up-paint", prompt: "at night", n: "2" },
      file: { type: "image/png", sha256: createHash("sha256").update(bytes).digest("hex") },
    });
    const { charged, held, tokenSource } = await gateway.booked(response);
    expect(charged).toBe(9n * 5_000n + 544n * 40_000n);
    expect(held).toBeGreaterThanOrEqual(charged);
    expect(tokenSource).toBe("supplier");
  });

  test("several images and a mask keep their order", async () => {
    const image = await Promise.all([toFile(png(90), "a.png"), toFile(jpg(), "b.jpg"), toFile(webp(), "c.webp")]);
    await sdk.images.edit({ model: "paint", prompt: "together", image, mask: await toFile(png(80), "m.png") });
    expect(lastSeen().files.filter((each) => each.startsWith("image"))).toEqual([
      "image[] image-1.png",
      "image[] image-2.jpg",
      "image[] image-3.webp",
    ]);
    expect(lastSeen().files).toContain("mask mask.png");
  });
});

test("a price for each image is charged for those that came", async () => {
  const response = await edit(form(["model", "paint-each"], ["prompt", "a"], ["n", "3"], ["image", png(64)]));
  expect(await gateway.booked(response)).toMatchObject({ charged: 120_000_000n, held: 120_000_000n });
});

test.each(["paint-silent", "paint-insane"])(
  "%s: what is not reported is estimated, images that go in as well",
  async (model) => {
    const parts: Part[] = [
      ["model", model],
      ["prompt", "four"],
      ["quality", "medium"],
      ["size", "1024x1536"],
      ["image[]", png(64)],
      ["image[]", jpg()],
    ];
    expect(await gateway.booked(await edit(form(...parts)))).toMatchObject({
      inputTokens: 3_001,
      outputTokens: 1_584,
      charged: 3_001n * 5_000n + 1_584n * 40_000n,
      tokenSource: "estimated",
    });
  },
);

test("another supplier is asked after a refusal, with the whole form; gw's own fields stay here", async () => {
  const bytes = png(300_000);
  const response = await edit(
    form(
      ["model", "paint-failover"],
      ["prompt", "a"],
      ["metadata[session_id]", "s"],
      ["stream", "false"],
      ["image", bytes],
    ),
  );
  expect(response.headers.get("x-gw-supplier")).toBe("second");
  expect(lastSeen().body).toEqual({ model: "up-paint", prompt: "a" });
  expect(lastSeen().file!.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
});

describe("refused, and nothing is sent", () => {
  test.each<[string, () => FormData, number, string]>([
    ["no model", () => form(["prompt", "a"], ["image", png(64)]), 400, "missing_model"],
    ["no prompt", () => form(["model", "paint"], ["image", png(64)]), 400, "missing_fields"],
    ["no image", () => form(["model", "paint"], ["prompt", "a"]), 400, "missing_fields"],
    ["a mask alone", () => form(["model", "paint"], ["prompt", "a"], ["mask", png(64)]), 400, "missing_fields"],
    ["an empty image", () => fine(["image", Buffer.alloc(0)]), 400, "invalid_request"],
    ["a page", () => fine(["image", Buffer.from("<html></html>")]), 415, "unsupported_media_type"],
    ["a mask that is none", () => fine(["mask", Buffer.from("GIF89a")]), 415, "unsupported_media_type"],
    ["two masks", () => fine(["mask", png(64)], ["mask", png(64)]), 400, "invalid_request"],
    ["17 images", () => fine(...Array.from({ length: 16 }, (): Part => ["image", png(64)])), 400, "invalid_request"],
    ["18 files", () => fine(...Array.from({ length: 18 }, (): Part => ["image", png(64)])), 400, "invalid_request"],
    ["two prompts", () => fine(["prompt", "b"]), 400, "invalid_request"],
    ["n of 11", () => fine(["n", "11"]), 400, "invalid_request"],
    ["n of 0", () => fine(["n", "0"]), 400, "invalid_request"],
    ["n of 1e1", () => fine(["n", "1e1"]), 400, "invalid_request"],
    ["a stream", () => fine(["stream", "true"]), 400, "unsupported_parameter"],
    ["parts of images", () => fine(["partial_images", "2"]), 400, "unsupported_parameter"],
    ["auto", () => form(["model", "auto"], ["prompt", "a"], ["image", png(64)]), 400, "unsupported_auto_mode"],
    [
      "a model of another kind",
      () => form(["model", "embed"], ["prompt", "a"], ["image", png(64)]),
      400,
      "capability_unsupported",
    ],
    ["more bytes than allowed", () => fine(["image", png(54_000_000)]), 413, "request_too_large"],
  ])("%s", async (_name, body, status, code) => {
    const before = gateway.supplier.seen.length;
    const response = await edit(body());
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ code });
    expect(gateway.supplier.seen.length).toBe(before);
  });

  test("JSON", async () => {
    const response = await gateway.post("/v1/images/edits", { model: "paint", prompt: "a" });
    expect([response.status, (await errorOf(response)).code]).toEqual([415, "unsupported_media_type"]);
  });

  test("a budget that does not cover the hold", async () => {
    const { key } = await gateway.createKey({ budget_limit: 0.0001 });
    const before = gateway.supplier.seen.length;
    const response = await gateway.post("/v1/images/edits", fine(), { key });
    expect([response.status, (await errorOf(response)).code]).toEqual([429, "budget_exceeded"]);
    expect(gateway.supplier.seen.length).toBe(before);
  });
});

test("a page is no answer, and what the supplier refuses is told and not charged", async () => {
  for (const [model, status] of [
    ["paint-html", 502],
    ["paint-400", 400],
  ] as const) {
    const response = await edit(form(["model", model], ["prompt", "a"], ["image", png(64)]));
    expect(response.status).toBe(status);
  }
});

test("the books are clean", () => expectCleanBooks(gateway));

test("a fresh installation edits without a supplier: other images in, other images out", async () => {
  const fresh = await startGateway({});
  try {
    const { key } = await fresh.createKey({});
    const client = new OpenAI({ baseURL: `${fresh.url}/v1`, apiKey: key, maxRetries: 0 });
    const night = async (bytes: Buffer) => {
      const image = await toFile(bytes, "a.png");
      const { data } = await client.images.edit({
        model: "sandbox-image",
        image,
        prompt: "at night",
        size: "1536x1024",
      });
      return data![0]!.b64_json!;
    };
    const painted = await night(png(64));
    const bytes = Buffer.from(painted, "base64");
    expect([bytes.toString("latin1", 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(["PNG", 192, 128]);
    expect(await night(png(64))).toBe(painted);
    expect(await night(jpg())).not.toBe(painted);
  } finally {
    await fresh.close();
  }
});

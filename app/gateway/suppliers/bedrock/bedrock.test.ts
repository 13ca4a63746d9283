import { expect, test } from "vitest";
import { frame } from "../../../../tests/support/stand-in-bedrock";
import type { ByteSink, ByteSource } from "../../canonical/exchange";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { EventStreamSource } from "./event-stream";
import { readBedrockFailure } from "./failure";
import { signIn } from "./sign";

const DELTA = frame(
  { ":message-type": "event", ":event-type": "contentBlockDelta", ":content-type": "application/json" },
  { contentBlockIndex: 0, delta: { text: "Grüße" } },
);
const THROTTLED = frame(
  { ":message-type": "exception", ":exception-type": "throttlingException" },
  { message: "Too many requests" },
);

/** Returns the output of a source that sends these bytes and then ends. */
function through(chunks: readonly Buffer[]) {
  let out = "";
  let outcome: "end" | SupplierFailure | null = null;
  let aborted = 0;
  const source: ByteSource = {
    start(sink: ByteSink) {
      for (const chunk of chunks) sink.data(chunk);
      sink.end();
    },
    pause: () => undefined,
    resume: () => undefined,
    abort: () => (aborted += 1),
  };
  new EventStreamSource(source).start({
    data: (chunk) => (out += chunk.toString()),
    end: () => (outcome = "end"),
    fail: (failure) => (outcome = failure),
  });
  return { out, outcome: outcome as "end" | SupplierFailure | null, aborted };
}

const TEXT = 'event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"Grüße"}}\n\n';

test("messages of the event stream are events, however their bytes are cut", () => {
  const bytes = Buffer.concat([DELTA, DELTA, THROTTLED]);
  const error =
    '{"code":"throttlingException","type":"throttlingException","status":429,"message":"Too many requests"}';
  const expected = `${TEXT}${TEXT}event: error\ndata: {"error":${error}}\n\n`;
  for (const size of [1, 7, 50, bytes.length]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    expect(through(chunks)).toEqual({ out: expected, outcome: "end", aborted: 0 });
  }
});

test.each([
  ["a wrong checksum", Buffer.from(DELTA).fill(0, DELTA.length - 2)],
  ["an impossible length", Buffer.from("<html><body>")],
])("%s ends the stream as broken, and nothing comes behind it", (_name, broken) => {
  const { out, outcome, aborted } = through([DELTA, broken, DELTA]);
  expect(out).toBe(TEXT);
  expect(outcome).toMatchObject({ kind: "protocol", executed: "yes" });
  expect(aborted).toBe(1);
});

test.each([
  [429, "ThrottlingException", 429],
  [400, "ServiceQuotaExceededException", 429],
  [424, "ModelErrorException", 502],
  [403, "AccessDeniedException", 403],
])("an answer of %i by the name of %s counts as %i", (status, name, expected) => {
  const body = Buffer.from('{"message":"so it is"}');
  const failure = readBedrockFailure({ status, headers: { "x-amzn-errortype": `${name}:http://internal/` }, body });
  expect(failure).toMatchObject({ status: expected, supplierCode: name, message: "so it is", executed: "no" });
});

test("an access key signs, a Bedrock API key is sent as it is, and a key without its secret fails", async () => {
  const request = {
    url: "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse",
    body: "{}",
    region: "eu-west-1",
  };
  expect(await signIn("bedrock-api-key-1", request)).toEqual({ authorization: "Bearer bedrock-api-key-1" });
  const headers = await signIn("AKIDEXAMPLE:secret:token", request);
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, /,
  );
  expect(headers["x-amz-security-token"]).toBe("token");
  await expect(signIn("AKIDEXAMPLE:", request)).rejects.toMatchObject({ kind: "credential", executed: "no" });
});

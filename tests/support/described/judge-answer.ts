import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import type { DescribedAnswer, DescribedOperation, OpenApiDocument } from "~/openapi/shared";
import type { RecordedAnswer } from "./recording";

/** Says what is wrong with an answer by the description of the service; null when it is as described. */
export type Judge = (answer: RecordedAnswer) => string | null;

const BUILT_FILE = /^\/(?:assets\/|favicon|[\w-]+\.(?:svg|png|ico|webmanifest)$)/;

/** Of an address, which may be a hostile one. */
const MAX_SHOWN = 200;

/** Judges answers by `document`: the operation, its status, the content type, and the body where it is JSON. */
export function judgeBy(document: OpenApiDocument): Judge {
  // Formats are not looked at; a number that a description forbids is.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "service");
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `service#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  const find = finderOf(document);
  return (answer) => {
    const at = find(answer.method, new URL(answer.url, "http://gw.example").pathname);
    const name = `${answer.method} ${answer.url.slice(0, MAX_SHOWN)} → ${answer.status} ${answer.type}`;
    if (at === null) return undescribed(answer) ? `${name}: no such operation is described` : null;
    const described = answerOf(at.operation, answer.status);
    if (described === null) return `${name}: the status is not described`;
    const isEmpty = answer.method === "HEAD" || answer.status === 304;
    const types = Object.keys(described.answer.content ?? {});
    const type = answer.type.split(";")[0]!.trim();
    if (type === "" && (types.length === 0 || isEmpty)) return null;
    if (!types.includes(type)) return `${name}: described are ${types.join(", ") || "no contents"}`;
    if (type !== "application/json" || isEmpty || !answer.isWhole) return null;
    const validate = validatorOf(`${at.pointer}/responses/${described.status}/content/application~1json/schema`);
    const body = answer.body === null ? undefined : parsed(answer);
    if (validate(body)) return null;
    return `${name}: ${ajv.errorsText(validate.errors)}\n    ${JSON.stringify(body)?.slice(0, 500)}`;
  };
}

/** Refusals and what browsers ask by OPTIONS need no operation, built files are none, and visitors are sent to sign in wherever in the dashboard they ask. */
const undescribed = ({ method, status, url }: RecordedAnswer): boolean =>
  status < 400 && method !== "OPTIONS" && !BUILT_FILE.test(url) && !(status === 303 && url.startsWith("/dashboard/"));

type Found = { operation: DescribedOperation; pointer: string };

function finderOf(document: OpenApiDocument): (method: string, path: string) => Found | null {
  const patterns = Object.entries(document.paths)
    .map(([path, operations]) => ({
      operations,
      pointer: `/paths/${encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"))}`,
      pattern: new RegExp(
        `^${path
          .replace(/\/$/, "")
          .replaceAll(".", "\\.")
          // Names of models have slashes.
          .replace(/^\/v1\/models\/\{model\}$/, "/v1/models/.+")
          .replace(/\{\w+\}/g, "[^/]+")}/?$`,
      ),
      parameters: path.split("{").length,
    }))
    // A path that is spelled out comes before one with a parameter in its place.
    .toSorted((one, other) => one.parameters - other.parameters);
  return (method, path) => {
    const name = (method === "HEAD" ? "get" : method.toLowerCase()) as "get";
    const found = patterns.find(({ pattern, operations }) => pattern.test(path) && operations[name] !== undefined);
    const operation = found?.operations[name];
    return found && operation ? { operation, pointer: `${found.pointer}/${name}` } : null;
  };
}

function answerOf(
  { responses }: DescribedOperation,
  status: number,
): { status: string; answer: DescribedAnswer } | null {
  const name = [String(status), `${Math.floor(status / 100)}XX`].find((each) => responses[each] !== undefined);
  return name === undefined ? null : { status: name, answer: responses[name]! };
}

function parsed({ body, encoding }: RecordedAnswer): unknown {
  const bytes = Buffer.from(body ?? "", "base64");
  const plain =
    encoding === "gzip"
      ? gunzipSync(bytes)
      : encoding === "br"
        ? brotliDecompressSync(bytes)
        : encoding === "deflate"
          ? inflateSync(bytes)
          : bytes;
  return JSON.parse(plain.toString("utf8"));
}

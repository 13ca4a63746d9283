import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import type { DescribedAnswer, DescribedOperation, OpenApiDocument } from "~/openapi/shared";
import type { RecordedAnswer } from "./recording";

/** Returns how an answer differs from the service's description; null if it conforms. */
export type Judge = (answer: RecordedAnswer) => string | null;

const BUILT_FILE = /^\/(?:assets\/|favicon|[\w-]+\.(?:svg|png|ico|webmanifest)$)/;

/** Maximum characters of an address in a message; hostile addresses can be very long. */
const MAX_SHOWN = 200;

const judges = new WeakMap<OpenApiDocument, Judge>();

/**
 * Returns the judge of a document. It checks the operation, the status, the content type, and the body if it is JSON.
 * All test files of a worker share it, because compiling a schema takes longer than most tests.
 */
export function judgeBy(document: OpenApiDocument): Judge {
  const judge = judges.get(document) ?? newJudge(document);
  judges.set(document, judge);
  return judge;
}

function newJudge(document: OpenApiDocument): Judge {
  // Formats are not validated; bounds of numbers are.
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

/**
 * Whether an answer without an operation is a mistake. It is none for errors, OPTIONS requests, built files, and
 * redirects of visitors from the dashboard to the sign-in page.
 */
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
          // Names of models may contain slashes.
          .replace(/^\/v1\/models\/\{model\}$/, "/v1/models/.+")
          .replace(/\{\w+\}/g, "[^/]+")}/?$`,
      ),
      parameters: path.split("{").length,
    }))
    // A literal path precedes one with a parameter at the same position.
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

import { z } from "zod";
import { parseUsd } from "~/values/money";

/** A whole number within bounds, written in digits. */
export function integer(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message);
}

/** A text with a maximum length. */
export const upTo = (maximum: number) => z.string().max(maximum, `takes at most ${maximum} characters`);

/** `true` or `false`. */
export const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

/** A URL with one of these protocols. */
function address(protocols: readonly string[], message: string) {
  return z.string().refine((text) => protocols.includes(parsed(text)?.protocol ?? ""), message);
}

export const webAddress = address(["http:", "https:"], "must be an http:// or https:// address");

const UNENCODED =
  "has a character in its user or password that has to be percent-encoded: # as %23, / as %2F, ? as %3F";
/** Matches a URL in which an unencoded `/`, `?` or `#` in the password ends the authority before the host. */
const CUT_LOGIN = /^[^:]+:\/\/[^/?#@]*:(?!\d+(?:[/?#]|$))[^/?#@]*[/?#].*@/;

/** The URL of a server with a user name and password. */
const withLogin = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .refine((text) => !CUT_LOGIN.test(text), { error: UNENCODED, abort: true })
    .pipe(schema);

/** The URL of a proxy; without a protocol it is http, as in curl. */
export const proxyAddress = z
  .string()
  .transform((text) => (text.includes("://") ? text : `http://${text}`))
  .pipe(withLogin(webAddress));

/** The URL of a mail server. */
export const mailServer = withLogin(address(["smtp:", "smtps:"], "must be an smtp:// or smtps:// address"));

/** URL parts that an origin must not have, with their names. */
const BEYOND_ORIGIN: readonly (readonly [name: string, has: (url: URL) => boolean])[] = [
  ["a user or password", ({ username, password }) => username !== "" || password !== ""],
  ["a path", ({ pathname }) => pathname !== "/"],
  ["a query", ({ search }) => search !== ""],
  ["a fragment", ({ hash }) => hash !== ""],
];

/** The origin of an http(s) URL in browser form: lower case, no default port, a non-ASCII host name encoded. */
export const origin = webAddress.transform((text, context) => {
  const url = new URL(text);
  const beyond = BEYOND_ORIGIN.find(([, has]) => has(url));
  if (beyond === undefined) return url.origin;
  context.addIssue({
    code: "custom",
    message: `must be an origin such as https://gw.example.com, without ${beyond[0]}`,
  });
  return z.NEVER;
});

/** A key or a secret of a processor or provider, which is sent in a header. */
export const printable = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

/** The origin of a payment processor's API: https, or plain http on this machine only, because it carries a secret key. */
export const processorOrigin = origin.refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}, "must be an https:// origin, or one of this machine");

/** A share in percent, at most 50 with three decimals, as millionths. */
export const percentage = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,3})?$/, "must be a percentage such as 2.9")
  .transform((text) => parseUsd(text)! / 100_000n)
  .refine((millionths) => millionths <= 500_000n, "must be at most 50");

/** An amount of US dollars in whole cents, as nano-USD; at least `minimum`, at most 999,999 dollars. */
export function usdCents(minimum: bigint) {
  const message = "must be an amount of US dollars in whole cents";
  return z
    .string()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, message)
    .transform((text) => parseUsd(text)!)
    .refine((nanoUsd) => nanoUsd >= minimum, `${message}, at least ${Number(minimum) / 1e9}`);
}

/** Comma-separated secrets of at least 32 characters each; the first one writes, all of them read. */
export const secrets = z
  .string()
  .transform((text) => text.split(",").map((secret) => secret.trim()))
  .refine((list) => list.every((secret) => secret.length >= 32), "every secret needs at least 32 characters");

/** The sender of emails: an address, with or without a name before it. */
export const sender = z
  .string()
  .regex(
    /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
    "must be an address such as gw <no-reply@example.com>",
  );

export const gatewayKey = z
  .string()
  .regex(/^gw_[0-9A-Za-z]{24,200}$/, "must be gw_ and at least 24 letters and digits");

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

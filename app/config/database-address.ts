import { z } from "zod";

const PROTOCOLS = ["postgres:", "postgresql:"];

/** What is wrong with addresses as people write them, in the order in which it is looked for. */
const MISTAKES: readonly (readonly [message: string, isSo: (text: string) => boolean])[] = [
  [
    "must be a postgresql:// address, not a list such as host=… dbname=…",
    (text) => /^\s*\w+\s*=/.test(text) && !text.includes("://"),
  ],
  ["must be a postgresql:// address, without jdbc: in front", (text) => text.startsWith("jdbc:")],
  ["must be a postgresql:// address", (text) => !PROTOCOLS.some((protocol) => text.startsWith(`${protocol}//`))],
  [
    "names several hosts, and only one is tried: name one that always leads to the server that writes",
    (text) => (authorityOf(text).split("@").at(-1) as string).includes(","),
  ],
  [
    "has a character in its user or password that has to be percent-encoded: # as %23, / as %2F, ? as %3F",
    // The authority ends at the first of these characters, and then the host is behind it.
    (text) => !authorityOf(text).includes("@") && /^[^/?#]*:[^/?#]*[/?#].*@/.test(behindScheme(text)),
  ],
  ["cannot be read as an address: its port has to be a number, and its host a name", (text) => !URL.canParse(text)],
];

const behindScheme = (text: string): string => text.slice(text.indexOf("//") + 2);
const authorityOf = (text: string): string => behindScheme(text).split(/[/?#]/)[0] as string;

/** The address of a PostgreSQL. What is wrong is told without the address, which has a password. */
export const databaseAddress = z.string().superRefine((text, context) => {
  const mistake = MISTAKES.find(([, isSo]) => isSo(text));
  if (mistake !== undefined) context.addIssue({ code: "custom", message: mistake[0] });
});

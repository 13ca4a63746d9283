export const SEVERAL_HOSTS =
  "names several hosts, and only one is tried: name one that always leads to the server that writes";
export const UNENCODED =
  "has a character in its user or password that has to be percent-encoded, or in its database: # as %23, / as %2F, ? as %3F, @ as %40";
export const UNREADABLE = "cannot be read as an address: its port has to be a number, and its host a name";

/** Common mistakes in database addresses, in the order of the checks. */
const MISTAKES: readonly (readonly [message: string, isSo: (text: string) => boolean])[] = [
  ["must be the postgresql:// address alone, without psql in front", (text) => /^psql\s/.test(text)],
  [
    "must be a postgresql:// address, not a list such as host=… dbname=…",
    (text) => /^\w+\s*=/.test(text) && !text.includes("://"),
  ],
  ["must be a postgresql:// address, without jdbc: in front", (text) => text.startsWith("jdbc:")],
  [
    "must be a postgresql:// address, without the name of a driver behind postgresql",
    (text) => /^postgres(?:ql)?\+\w+:/.test(text),
  ],
  ["must be a postgresql:// address", (text) => !/^postgres(?:ql)?:\/\//.test(text)],
  [SEVERAL_HOSTS, (text) => (authorityOf(text).split("@").at(-1) as string).includes(",")],
  [
    UNENCODED,
    (text) => text.includes("#") || isCut(behindScheme(text)) || /^[^/?]*\/[^?]*[/@]/.test(behindScheme(text)),
  ],
];

/** Whether an unencoded `/` or `?` ends the authority too early, so that the host comes after it. */
const isCut = (text: string): boolean => /^[^/?@]*:[^/?@]*[/?].*@/.test(text);

const behindScheme = (text: string): string => text.slice(text.indexOf("//") + 2);
const authorityOf = (text: string): string => behindScheme(text).split(/[/?#]/)[0] as string;

/** Returns the message for a known mistake in a database address; null: none of these. */
export const mistakeIn = (text: string): string | null => MISTAKES.find(([, isSo]) => isSo(text))?.[0] ?? null;

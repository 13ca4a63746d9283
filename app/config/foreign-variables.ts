type Form = readonly [name: RegExp, value: RegExp];

const PORT_LINK: Form = [/(?:^|_)PORT$/, /^(tcp|udp|sctp):\/\//];
/**
 * Variables that Kubernetes (`enableServiceLinks`) and Docker links set for a service, by the end of the name and the
 * value.
 */
const SERVICE_LINKS: readonly Form[] = [
  [/_SERVICE_HOST$/, /./],
  [/_SERVICE_PORT(_\w+)?$/, /^\d+$/],
  [/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/, /./],
  PORT_LINK,
  [/_NAME$/, /^\/[^/]+\/[^/]+$/],
  [/_ENV_\w+$/, /./],
];

const has = (name: string, value: string | undefined, [names, values]: Form): boolean =>
  names.test(name) && values.test(value ?? "");

/** Whether the value of a setting is the address of another service whose generated variable has the setting's name. */
export const holdsServiceLink = (name: string, value: string | undefined): boolean => has(name, value, PORT_LINK);

/** Variables of clients in the documentation's examples; the server does not read them. */
const OF_CLIENTS = ["GW_KEY", "GW_ADMIN_KEY"];
/** Maximum edit distance of a mistyped name. */
const MISTYPED_LETTERS = 2;

/**
 * Returns the variable names that look like mistyped settings: all unknown names that begin with `GW_`, and those with
 * `STRIPE_` or `IDP_`, which other programs use too, that nearly match a setting.
 */
export function mistypedNames(
  variables: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const names = new Set([...known, ...OF_CLIENTS]);
  return Object.entries(variables).flatMap(([name, value]) => {
    if (!/^(GW|STRIPE|IDP)_/.test(name) || names.has(name) || SERVICE_LINKS.some((form) => has(name, value, form)))
      return [];
    const isOurs = name.startsWith("GW_") || known.some((setting) => distance(name, setting) <= MISTYPED_LETTERS);
    return isOurs ? [name] : [];
  });
}

/** Returns the edit distance of two words: insertions, deletions and substitutions. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const exchanged = (row[column - 1] as number) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}

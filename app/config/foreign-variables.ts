type Form = readonly [name: RegExp, value: RegExp];

const PORT_LINK: Form = [/_PORT$/, /^(tcp|udp|sctp):\/\//];
/** What Kubernetes (`enableServiceLinks`) and links of Docker tell about a service, by the end of the name and by the value. */
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

/** Whether a setting holds the address of another service, whose name happens to make the setting's name. */
export const holdsServiceLink = (name: string, value: string | undefined): boolean => has(name, value, PORT_LINK);

/** What the examples of the documentation keep their keys in: in the shell of whoever tries them out, not for this server. */
const OF_CLIENTS = ["GW_KEY", "GW_ADMIN_KEY"];
/** So many letters may be wrong in the name of a setting. */
const MISTYPED_LETTERS = 2;

/**
 * Names that look like settings and are none. All that begin with `GW_` are meant for this program; of those that begin with `STRIPE_` and
 * `IDP_`, which other programs have too, the ones that are nearly a setting's.
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

/** How many letters have to be put in, taken out or exchanged to make one word of the other. */
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

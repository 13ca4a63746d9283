import { addressOf, CAST } from "./cast";
import type { Seeded } from "./seed";

/** The terminal output of `npm run seed`. Contains secrets that are not stored elsewhere. */
export function summaryOf({ calls, refused, openHolds, password, banner }: Seeded, seconds: number): string {
  const lines = [
    `The demo is there: ${calls} calls settled, ${refused} refused, ${openHolds} with open holds, in ${seconds.toFixed(0)} s.`,
    "",
    "Sign in at /login as any of these people. They share one password, which is shown this one time:",
    "",
    `  ${password}`,
    "",
    ...CAST.flatMap(({ name, domain, people }) => [
      `  ${name}`,
      ...people.map((person) => `    ${addressOf(person.name, domain).padEnd(36)}${person.role}`),
    ]),
    "",
  ];
  const rootKey = banner === null ? null : /Root admin key.*\n\n {2}(\S+)/.exec(banner)?.[1];
  if (rootKey) lines.push(`Root admin key, shown this one time: ${rootKey}`, "");
  return `${lines.join("\n")}\n`;
}

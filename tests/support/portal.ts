import { Browser } from "./browser";
import { type Gateway, type GatewayOptions, startGateway } from "./gateway";
import { type Mail, nextMail } from "./mailbox";
import {
  addDepartment,
  addOrganisation,
  addPerson,
  openSession,
  type Person,
  type PersonFields,
  type Role,
} from "./people";

export { Browser } from "./browser";
export { linkIn, mailsTo } from "./mailbox";
export type { Person, Role } from "./people";

/** A gw in a process of its own, with its portal. `gateway` has the rest: its SQL, its keys, its output. */
export type Portal = {
  url: string;
  gateway: Gateway;
  sql: Gateway["sql"];
  /** A browser in which nobody is signed in. */
  visitor(): Browser;
  /** A new person of this role, and a browser in which they are signed in; admins with the admin view on. */
  signInAs(role: Role, fields?: Omit<PersonFields, "role"> & { adminMode?: boolean }): Promise<SignedIn>;
  /** A browser in which an existing person is signed in. */
  signIn(person: Pick<Person, "userId" | "role">, view?: { adminMode?: boolean }): Promise<Browser>;
  addPerson(fields?: PersonFields): Promise<Person>;
  addOrganisation(name?: string): Promise<number>;
  addDepartment(organisationId: number, name?: string): Promise<number>;
  /** The next mail to an address; `after`: how many were there before. */
  mail(address: string, after?: number): Promise<Mail>;
  close(): Promise<void>;
};

export type SignedIn = { browser: Browser; person: Person };

/** Starts a built gw with its portal, where everybody may sign up. The owner is owner@example.com with the password "several words and a half". */
export async function startPortal(options: GatewayOptions = {}): Promise<Portal> {
  const gateway = await startGateway({ ...options, env: { ...OWNER, GW_SIGNUP: "open", ...options.env } });
  const { url, sql } = gateway;
  const signIn: Portal["signIn"] = async (person, view) => {
    const browser = new Browser(url);
    browser.cookies.set("gw_session", await openSession(sql, person, view));
    return browser;
  };
  return {
    url,
    gateway,
    sql,
    visitor: () => new Browser(url),
    async signInAs(role, { adminMode, ...fields } = {}) {
      const person = await addPerson(sql, { ...fields, role });
      return { person, browser: await signIn(person, { adminMode }) };
    },
    signIn,
    addPerson: (fields) => addPerson(sql, fields),
    addOrganisation: (name) => addOrganisation(sql, name),
    addDepartment: (organisationId, name) => addDepartment(sql, organisationId, name),
    mail: (address, after) => nextMail(gateway.dataDir, address, after),
    close: () => gateway.close(),
  };
}

export const OWNER_PASSWORD = "several words and a half";
const OWNER = { GW_OWNER_EMAIL: "owner@example.com", GW_OWNER_PASSWORD: OWNER_PASSWORD };

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

/** A gw with portal in its own process. `gateway` offers the rest: SQL, keys, output. */
export type Portal = {
  url: string;
  gateway: Gateway;
  sql: Gateway["sql"];
  /** Returns a browser without a session. */
  visitor(): Browser;
  /** Creates a person of this role and a browser with their session; for admins the admin view is on. */
  signInAs(role: Role, fields?: Omit<PersonFields, "role"> & { adminMode?: boolean }): Promise<SignedIn>;
  /** Returns a browser with the session of an existing person. */
  signIn(person: Pick<Person, "userId" | "role">, view?: { adminMode?: boolean }): Promise<Browser>;
  addPerson(fields?: PersonFields): Promise<Person>;
  addOrganisation(name?: string): Promise<number>;
  addDepartment(organisationId: number, name?: string): Promise<number>;
  /** Waits for the next email to an address; `after`: number of earlier emails. */
  mail(address: string, after?: number): Promise<Mail>;
  close(): Promise<void>;
};

export type SignedIn = { browser: Browser; person: Person };

/**
 * Starts a built gw with its portal and open sign-up. The owner is owner@example.com with the password
 * "several words and a half".
 */
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

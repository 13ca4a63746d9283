import { LRUCache } from "lru-cache";
import { config } from "~/config.server";
import { db } from "~/db.server";
import { belongsToReseller, organisationOfDomain } from "~/domain/organisations/index.server";

/** Whose portal a request is for. Its look comes from the reseller, where it is one. */
export type PortalFace = {
  /** The reseller's organisation; null: the installation's own portal. */
  resellerId: number | null;
  brand: string;
  accentColour: string | null;
  supportEmail: string | null;
  /** Its public origin, such as https://ai.example.com; for links and for telling our own pages from others'. */
  origin: string;
  /** Its host name, without a port. */
  host: string;
};

const FRESH_MS = 3_000;
const MAX_KEPT = 500;

const kept = new LRUCache<string, Promise<PortalFace>>({ max: MAX_KEPT, ttl: FRESH_MS });

/**
 * The portal that a request's host name belongs to: a reseller's, where an organisation has that domain, else the
 * installation's own. Addresses are built from the configuration and the database, never from the header itself.
 */
export function portalOf(request: Request): Promise<PortalFace> {
  return portalOfHost(request.headers.get("host") ?? new URL(request.url).host);
}

/** The same by a host name, with or without a port. */
export async function portalOfHost(hostAndPort: string): Promise<PortalFace> {
  const own = ownPortal();
  const host = hostAndPort.toLowerCase().replace(/:\d+$/, "");
  // Only a name that could be a reseller's is worth a question.
  if (host === own.host || host.length > 253 || !/^[a-z0-9.-]+\.[a-z]{2,63}$/.test(host)) return own;
  const there = kept.get(host);
  if (there) return there;
  const face = resellersPortal(host, own);
  kept.set(host, face);
  face.catch(() => kept.delete(host));
  return face;
}

/** Whether a person of an organisation may use a portal: everybody the own one, a reseller's its own people and customers. */
export async function mayUsePortal(face: PortalFace, person: { organisationId: number }): Promise<boolean> {
  return face.resellerId === null || belongsToReseller(db(), person.organisationId, face.resellerId);
}

/** The installation's own portal, at BASE_URL. */
export function ownPortal(): PortalFace {
  const { origin, hostname } = new URL(config().baseUrl);
  return { resellerId: null, brand: "gw", accentColour: null, supportEmail: null, origin, host: hostname };
}

async function resellersPortal(host: string, own: PortalFace): Promise<PortalFace> {
  const found = await organisationOfDomain(db(), host);
  if (found === null) return own;
  const { protocol, port } = new URL(own.origin);
  return {
    resellerId: found.id,
    brand: found.brandName ?? found.name,
    accentColour: found.accentColour,
    supportEmail: found.supportEmail,
    origin: `${protocol}//${host}${port ? `:${port}` : ""}`,
    host,
  };
}

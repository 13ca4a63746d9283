import { LRUCache } from "lru-cache";
import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import { belongsToReseller, organisationOfDomain } from "~/domain/organisations/index.server";

/** The portal of a request. A reseller's portal has the reseller's branding. */
export type PortalFace = {
  /** The reseller's organisation; null: the installation's own portal. */
  resellerId: number | null;
  brand: string;
  accentColour: string | null;
  supportEmail: string | null;
  /**
   * Public origin, such as https://ai.example.com; for links, and to distinguish gw's own pages from those of other
   * sites.
   */
  origin: string;
  /** Host name without a port. */
  host: string;
};

const FRESH_MS = 3_000;
const MAX_KEPT = 500;

const cache = new LRUCache<string, Promise<PortalFace>>({ max: MAX_KEPT, ttl: FRESH_MS });

/**
 * Returns the portal of a request's host name: a reseller's if an organisation has that domain, else the installation's
 * own. URLs are built from the configuration and the database, never from the header itself.
 */
export function portalOf(request: Request): Promise<PortalFace> {
  return portalOfHost(request.headers.get("host") ?? new URL(request.url).host);
}

/** The same for a host name with or without a port. */
export async function portalOfHost(hostAndPort: string): Promise<PortalFace> {
  const own = ownPortal();
  // A host name with a final dot is the same name, fully qualified.
  const host = hostAndPort.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  // Query the database only for names that can be a reseller's domain.
  if (host === own.host || host.length > 253 || !/^[a-z0-9.-]+\.[a-z]{2,63}$/.test(host)) return own;
  const there = cache.get(host);
  if (there) return there;
  const face = resellersPortal(host, own);
  cache.set(host, face);
  face.catch(() => cache.delete(host));
  return face;
}

/**
 * Whether a person may use a portal: everyone may use the installation's own; a reseller's is for its own people and
 * customers.
 */
export async function mayUsePortal(face: PortalFace, person: { organisationId: number }): Promise<boolean> {
  return face.resellerId === null || belongsToReseller(db(), person.organisationId, face.resellerId);
}

/** Returns the installation's own portal, at BASE_URL. */
export function ownPortal(): PortalFace {
  const { origin, hostname } = new URL(config().baseUrl);
  return { resellerId: null, brand: "gw", accentColour: null, supportEmail: null, origin, host: hostname };
}

async function resellersPortal(host: string, own: PortalFace): Promise<PortalFace> {
  const organisation = await organisationOfDomain(db(), host);
  if (organisation === null) return own;
  const { protocol, port } = new URL(own.origin);
  return {
    resellerId: organisation.id,
    brand: organisation.brandName ?? organisation.name,
    accentColour: organisation.accentColour,
    supportEmail: organisation.supportEmail,
    origin: `${protocol}//${host}${port ? `:${port}` : ""}`,
    host,
  };
}

import type { Portal, SignedIn } from "./portal";

/** Returns a client of a portal's management API that uses a new key of a signed-in person. */
export async function manageBy(portal: Portal, somebody: SignedIn, kind: "admin" | "inference" = "admin") {
  const fields = { name: `${kind} of ${somebody.person.email}`, kind, owner: "nobody" };
  const made = await somebody.browser.post("/dashboard/keys/new", fields, { json: true });
  const { key } = (await made.json()) as { key: string };
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${portal.url}/v1/manage/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
    });
    const json = await response.json();
    return { status: response.status, json, code: json.error?.code as string | undefined, headers: response.headers };
  };
  return { key, send };
}

export type Manage = Awaited<ReturnType<typeof manageBy>>["send"];

import { request as httpRequest } from "node:http";

/** Options of a request with a body: a form (default) or JSON. */
export type Sending = { json?: boolean; headers?: Record<string, string>; method?: string };
type Fields = Record<string, string>;

/**
 * A browser for tests. It keeps cookies, marks its requests as same-origin, and follows no redirect on its own, so that
 * a test sees each answer.
 */
export class Browser {
  readonly cookies = new Map<string, string>();

  /** `host`: the name under which the browser reaches the server, as if DNS resolved it to the server's address. */
  constructor(
    readonly url: string,
    private readonly host?: string,
  ) {}

  /** Sends any request; `init.headers` are added to the browser's own headers. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    // An empty value stands for a browser that does not send this header.
    if (!headers.has("sec-fetch-site")) headers.set("sec-fetch-site", "same-origin");
    else if (headers.get("sec-fetch-site") === "") headers.delete("sec-fetch-site");
    const target = new URL(path, this.url);
    const response = this.host
      ? await fetchAs(this.host, target, { ...init, headers })
      : await fetch(target, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { headers: { accept: "text/html", ...headers } });
  }

  /** Sends a GET request as a script of the page does. */
  getJson(path: string): Promise<Response> {
    return this.fetch(path, { headers: { accept: "application/json" } });
  }

  post(path: string, fields: Fields | object = {}, { json = false, headers = {}, method = "POST" }: Sending = {}) {
    const body = json ? JSON.stringify(fields) : new URLSearchParams(fields as Fields).toString();
    const type = json ? "application/json" : "application/x-www-form-urlencoded";
    const accept = json ? "application/json" : "text/html";
    return this.fetch(path, { method, body, headers: { "content-type": type, accept, ...headers } });
  }

  /** Follows redirects until an answer is a page. */
  async follow(response: Response): Promise<Response> {
    let here = response;
    for (let hops = 0; here.status >= 300 && here.status < 400; hops += 1) {
      if (hops > 10) throw new Error("the redirects do not end");
      here = await this.get(here.headers.get("location") as string);
    }
    return here;
  }

  private keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === "" || attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Sends a request with a Host header of its own; the platform's fetch always sends the host that it connects to. */
function fetchAs(host: string, target: URL, init: RequestInit & { headers: Headers }): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(init.headers), host };
    const asked = httpRequest(target, { method: init.method ?? "GET", headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const got = new Headers();
        for (const [name, value] of Object.entries(answer.headersDistinct))
          for (const each of value ?? []) got.append(name, each);
        resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode, headers: got }));
      });
    });
    asked.once("error", reject);
    asked.end(init.body as string | undefined);
  });
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ports and files of one proxy under test. */
type Place = { folder: string; port: number; gatewayPort: number };

type Kind = {
  /** Path of the program in Debian. */
  program: string;
  /** Section of the page that contains its configuration. */
  section: string;
  /** Returns the whole configuration, which includes the page's. */
  around(shown: string, place: Place): string;
  run(file: string, place: Place): string[];
};

const APACHE_MODULES = ["mpm_event", "authz_core", "proxy", "proxy_http", "ssl", "http2", "socache_shmcb"];

export const PROXIES: Readonly<Record<string, Kind>> = {
  nginx: {
    program: "/usr/sbin/nginx",
    section: "nginx",
    around: (shown, { folder }) => `
      daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events { worker_connections 256; }
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
        ${shown}
      }`,
    run: (file, { folder }) => ["-p", folder, "-e", `${folder}/error.log`, "-c", file],
  },
  HAProxy: {
    program: "/usr/sbin/haproxy",
    section: "haproxy",
    around: (shown) => `${shown}\n`,
    run: (file) => ["-db", "-f", file],
  },
  Apache: {
    program: "/usr/sbin/apache2",
    section: "apache",
    around: (shown, { folder, port }) => `
      ${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
      ServerName localhost
      PidFile ${folder}/pid
      ErrorLog ${folder}/error.log
      DefaultRuntimeDir ${folder}
      Listen 127.0.0.1:${port}
      User www-data
      Group www-data
      ${shown}`,
    run: (file) => ["-X", "-f", file],
  },
  Caddy: {
    program: "/usr/bin/caddy",
    section: "caddyfile",
    around: (shown) => `{\n admin off\n auto_https disable_redirects\n}\n${shown}\n`,
    run: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
};

export const isInstalled = (name: string): boolean => existsSync((PROXIES[name] as Kind).program);

/** Starts a real proxy with the configuration of docs/proxies.md; only addresses and files differ. */
export async function startProxy(name: string, { port, gatewayPort }: { port: number; gatewayPort: number }) {
  const kind = PROXIES[name] as Kind;
  const folder = mkdtempSync(join(tmpdir(), "gw-proxy-"));
  const place = { folder, port, gatewayPort };
  const [certificate, key, both] = ["crt", "key", "pem"].map((end) => join(folder, `tls.${end}`)) as [
    string,
    string,
    string,
  ];
  makeCertificate(certificate, key);
  writeFileSync(both, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
  const shown = shownConfiguration(kind.section)
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${gatewayPort}`)
    .replaceAll("/etc/haproxy/gw.example.com.pem", both)
    .replaceAll("/etc/ssl/gw.example.com.pem", certificate)
    .replaceAll("/etc/ssl/gw.example.com.key", key)
    .replaceAll(/listen 443|\*:443|bind :443/g, (address) => address.replace(/\*?:?443/, `127.0.0.1:${port}`))
    .replaceAll("https://gw.example.com", `https://localhost:${port}`)
    .replaceAll("gw.example.com", "localhost");
  const file = join(folder, "configuration");
  writeFileSync(file, kind.around(shown, place));
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(kind.program, kind.run(file, place), { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  await listening(port, child, () => output);
  return {
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the page's code block in a language. */
function shownConfiguration(language: string): string {
  const page = readFileSync("docs/proxies.md", "utf8");
  const shown = page.split(`\`\`\`${language}\n`)[1]?.split("\n```")[0];
  if (shown === undefined) throw new Error(`docs/proxies.md shows no ${language}`);
  return shown;
}

function makeCertificate(certificate: string, key: string): void {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "ignore",
  });
}

async function listening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) break;
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.unref();
      socket.once("connect", () => socket.end());
    });
    if (reached) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the proxy does not listen:\n${output()}`);
}

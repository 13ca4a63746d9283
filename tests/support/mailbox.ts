import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export type Mail = { to: string; subject: string; text: string; html: string };

/** Returns the emails to an address from DATA_DIR/mail, oldest first. */
export async function mailsTo(dataDir: string, address: string): Promise<Mail[]> {
  const folder = join(dataDir, "mail");
  const files = (await readdir(folder).catch(() => [])).filter((file) => /^[^.].*\.eml$/.test(file)).toSorted();
  const mails = await Promise.all(files.map(async (file) => readMail(await readFile(join(folder, file), "utf8"))));
  return mails.filter(({ to }) => to.toLowerCase().includes(address.toLowerCase()));
}

/** Waits for a new email to an address and returns the newest; `after`: number of earlier emails. */
export async function nextMail(dataDir: string, address: string, after = 0): Promise<Mail> {
  for (let tries = 0; tries < 300; tries += 1) {
    const mails = await mailsTo(dataDir, address);
    if (mails.length > after) return mails.at(-1) as Mail;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail to ${address}`);
}

/** Returns the first link of an email whose path begins with `path`, as path and query. */
export function linkIn(mail: Mail, path: string): string {
  for (const [found] of mail.text.matchAll(/https?:\/\/\S+/g)) {
    const { pathname, search } = new URL(found);
    if (pathname.startsWith(path)) return pathname + search;
  }
  throw new Error(`no link to ${path} in:\n${mail.text}`);
}

function readMail(source: string): Mail {
  const [head = "", ...rest] = source.replaceAll("\r\n", "\n").split("\n\n");
  const headers = head.replace(/\n[ \t]+/g, " ");
  const body = rest.join("\n\n");
  const boundary = /boundary="([^"]+)"/i.exec(headers)?.[1] ?? "";
  return {
    to: /^To: (.*)$/im.exec(headers)?.[1] ?? "",
    subject: decodeWords(/^Subject: (.*)$/im.exec(headers)?.[1] ?? ""),
    text: partOf(body, { boundary, type: "text/plain" }),
    html: partOf(body, { boundary, type: "text/html" }),
  };
}

/** Returns a part of a multipart body. Splits at the full boundary: lines of a token may begin with two hyphens too. */
function partOf(body: string, { boundary, type }: { boundary: string; type: string }): string {
  for (const part of `\n${body}`.split(`\n--${boundary}`)) {
    if (!part.toLowerCase().includes(`content-type: ${type}`)) continue;
    const at = part.trimStart().indexOf("\n\n");
    const content = part.trimStart().slice(at + 2);
    const encoding = /^content-transfer-encoding: (\S+)/im.exec(part)?.[1]?.toLowerCase();
    if (encoding === "base64") return Buffer.from(content, "base64").toString("utf8");
    return encoding === "quoted-printable" ? quotedPrintable(content) : content;
  }
  return "";
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, content: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(content, "base64").toString("utf8")
        : quotedPrintable(content.replaceAll("_", " ")),
    );
}

import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Transporter } from "nodemailer";
import { config } from "~/config.server";
import type { Email } from "./email";

const WITHIN_MS = 20_000;

/**
 * Sends an email to the mail server of SMTP_URL, or writes it as an `.eml` file to DATA_DIR/mail. Rejects when that
 * fails.
 */
export async function deliver(mail: { id: string; to: string; letter: Email }): Promise<void> {
  const { id, to, letter: email } = mail;
  const { smtpUrl, from } = config().mail;
  const message = {
    from,
    to,
    subject: email.subject,
    text: email.text,
    html: email.html,
    // A repeated attempt has the same id, so that mail programs can recognise the duplicate.
    messageId: `<${id}@${new URL(config().baseUrl).hostname}>`,
    headers: { "auto-submitted": "auto-generated" },
    // gw builds the whole content: no part of it may make this process read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  if (smtpUrl !== null) await (await server(smtpUrl)).sendMail(message);
  else await writeFileFor(id, await sourceOf(message));
}

/** Loads nodemailer with the first email: it takes 15 MB of memory, and many processes never send one. */
const mailer = () => import("nodemailer");

let known: { url: string; transport: Transporter } | null = null;

async function server(url: string): Promise<Transporter> {
  const { createTransport } = await mailer();
  if (known?.url !== url) {
    known?.transport.close();
    const options = { connectionTimeout: WITHIN_MS, greetingTimeout: WITHIN_MS, socketTimeout: WITHIN_MS };
    const { hostname, port, protocol, username, password } = new URL(url);
    const secure = protocol === "smtps:";
    const auth =
      username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    const host = decodeURIComponent(hostname);
    known = {
      url,
      transport: createTransport({ ...options, host, port: Number(port) || (secure ? 465 : 587), secure, auth }),
    };
  }
  return known.transport;
}

async function sourceOf(message: object): Promise<Buffer> {
  const { createTransport } = await mailer();
  const writer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message: source } = (await writer.sendMail(message)) as unknown as { message: Buffer };
  return source;
}

async function writeFileFor(id: string, source: Buffer): Promise<void> {
  const folder = join(config().dataDir, "mail");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replaceAll(":", "-")}-${id.slice(0, 8)}.eml`;
  // The file gets its final name when it is complete, so that no reader sees a partial email.
  await writeFile(join(folder, `.${name}`), source, { mode: 0o600 });
  await rename(join(folder, `.${name}`), join(folder, name));
}

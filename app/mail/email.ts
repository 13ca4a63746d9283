/** Content of an email, ready to send. */
export type Email = { subject: string; text: string; html: string };

export type EmailParts = {
  language: string;
  subject: string;
  /** Name of the portal, above the text. */
  brand: string;
  greeting: string;
  paragraphs: readonly string[];
  /** The main button; `otherwise` is the text above the plain URL, for mail programs without buttons. */
  action?: { label: string; url: string; otherwise: string };
  /** Small print below. */
  notes: readonly string[];
};

const INK = "#14201a";
const SOFT = "#5b665f";
const GREEN = "#0a7f4f";
const LINE = "#dfe3e0";

/** Writes an email as plain text and as simple HTML. Escapes every text, because names are user input. */
export function writeEmail(parts: EmailParts): Email {
  return { subject: oneLine(parts.subject), text: asText(parts), html: asHtml(parts) };
}

function asText({ greeting, paragraphs, action, notes, brand }: EmailParts): string {
  const blocks = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `-- \n${brand}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function asHtml({ language, subject, brand, greeting, paragraphs, action, notes }: EmailParts): string {
  const line = (text: string, style: string) => `<p style="margin:0 0 16px;${style}">${escaped(text)}</p>`;
  const button = action
    ? `<p style="margin:24px 0"><a href="${escaped(action.url)}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:${GREEN};color:#ffffff;text-decoration:none;font-weight:600">${escaped(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:${SOFT}">${escaped(action.otherwise)}<br><a href="${escaped(action.url)}" style="color:${SOFT};word-break:break-all">${escaped(action.url)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 20px;font:16px/1.55 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:${INK};background:#ffffff">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 28px;font-size:15px;font-weight:650">${escaped(brand)}</p>
${line(greeting, "")}
${paragraphs.map((paragraph) => line(paragraph, "")).join("\n")}
${button}
<div style="margin-top:28px;padding-top:16px;border-top:1px solid ${LINE}">
${notes.map((note) => line(note, `font-size:13px;color:${SOFT}`)).join("\n")}
</div>
</div>
</body>
</html>
`;
}

// A subject with a line break would begin another header.
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

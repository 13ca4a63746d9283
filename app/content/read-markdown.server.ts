// The lexer is from a package; the tree is our own on purpose: it cannot represent HTML, so nothing has to be
// sanitised.
import { Lexer, lexer, type Token, type Tokens } from "marked";
import { plainTextOf } from "./plain-text";
import type { Block, Inline } from "./shared";

/**
 * Parses Markdown into a tree of the few kinds that pages can show. The tree cannot represent HTML, images or script
 * URLs, so nothing has to be sanitised.
 * @throws Error when the text has no title or contains something that cannot be shown.
 */
export function readMarkdown(text: string): { title: string; blocks: Block[] } {
  const [first, ...rest] = lexer(text).filter(({ type }) => type !== "space");
  if (first?.type !== "heading" || (first as Tokens.Heading).depth !== 1) throw new Error("the text has no title");
  return { title: plainTextOf(inlinesOf(first.tokens)), blocks: blocksOf(rest) };
}

/** Returns the blocks of a part of a text from the tokens of marked's `lexer`. */
export function blocksOf(tokens: readonly Token[]): Block[] {
  return tokens.filter(({ type }) => type !== "space" && type !== "hr").map(blockOf);
}

function blockOf(token: Token): Block {
  switch (token.type) {
    case "heading":
      return headingOf(token as Tokens.Heading);
    case "paragraph":
    case "text":
      return { kind: "paragraph", inner: inlinesOf((token as Tokens.Paragraph).tokens) };
    case "list": {
      const list = token as Tokens.List;
      return { kind: "list", ordered: list.ordered, items: list.items.map((item) => blocksOf(item.tokens)) };
    }
    case "table": {
      const table = token as Tokens.Table;
      const head = table.header.map((cell) => inlinesOf(cell.tokens));
      return { kind: "table", head, rows: table.rows.map((row) => row.map((cell) => inlinesOf(cell.tokens))) };
    }
    case "blockquote":
      return quoteOf(token as Tokens.Blockquote);
    case "code":
      return codeOf(token as Tokens.Code);
    case "html":
      return componentOf(token.raw);
    default:
      throw new Error(`${token.type} cannot be shown: ${token.raw.slice(0, 60)}`);
  }
}

/** ` ```json An error ` is a JSON example with the name "An error". */
function codeOf({ lang = "", text }: Tokens.Code): Block {
  return { kind: "code", name: lang.replace(/^\S+\s*/, ""), text };
}

/** `> [!NOTE]` begins a callout, as on GitHub. */
function quoteOf({ tokens, text }: Tokens.Blockquote): Block {
  const [mark = "", name] = /^\[!([A-Z]+)\]\n/.exec(text) ?? [];
  if (name === undefined) return { kind: "quote", blocks: blocksOf(tokens) };
  return { kind: "callout", name: name.toLowerCase(), blocks: blocksOf(lexer(text.slice(mark.length))) };
}

/** `<PriceTables />`, with its texts as attributes, is the only syntax with angle brackets. */
function componentOf(raw: string): Block {
  const [, name, rest = ""] = /^<([A-Z]\w*)((?:\s+[\w-]+="[^"<>]*")*)\s*\/>\s*$/.exec(raw) ?? [];
  if (name === undefined) throw new Error(`html cannot be shown: ${raw.slice(0, 60)}`);
  const attributes = [...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value] as const);
  return { kind: "component", name, words: Object.fromEntries(attributes) };
}

const OWN_ID = /\s*\{#([\w-]+)\}$/;

/** A heading's anchor is the `{#name}` at its end, or derived from its text. */
function headingOf({ depth, text, tokens }: Tokens.Heading): Block {
  const level = depth <= 2 ? 2 : 3;
  const [mark, own] = OWN_ID.exec(text) ?? [];
  if (own !== undefined && mark !== undefined)
    return { kind: "heading", level, id: own, inner: inlinesOf(Lexer.lexInline(text.slice(0, -mark.length))) };
  const inner = inlinesOf(tokens);
  const id = plainTextOf(inner)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return { kind: "heading", level, id, inner };
}

function inlinesOf(tokens: readonly Token[] = []): Inline[] {
  return joined(tokens.map(inlineOf));
}

/** Merges adjacent texts, because the lexer returns an escaped character as a separate token. */
function joined(inlines: readonly Inline[]): Inline[] {
  const pieces: Inline[] = [];
  for (const inline of inlines) {
    const last = pieces.at(-1);
    if (inline.kind === "text" && last?.kind === "text")
      pieces[pieces.length - 1] = { kind: "text", text: last.text + inline.text };
    else pieces.push(inline);
  }
  return pieces;
}

function inlineOf(token: Token): Inline {
  switch (token.type) {
    case "text":
    case "escape":
      return { kind: "text", text: (token as Tokens.Text).text };
    case "codespan":
      return { kind: "code", text: (token as Tokens.Codespan).text };
    case "br":
      return { kind: "break" };
    case "strong":
      return { kind: "strong", inner: inlinesOf(token.tokens) };
    case "em":
      return { kind: "emphasis", inner: inlinesOf(token.tokens) };
    case "link":
      return linkOf(token as Tokens.Link);
    default:
      throw new Error(`${token.type} cannot be shown: ${token.raw.slice(0, 60)}`);
  }
}

function linkOf({ href, tokens }: Tokens.Link): Inline {
  if (!/^(?:\/(?!\/)|#|https:\/\/|mailto:)/.test(href)) throw new Error(`a link cannot lead to ${href}`);
  return { kind: "link", href, inner: inlinesOf(tokens) };
}

import { lexer, type Token } from "marked";
import { parse } from "yaml";
import { z } from "zod";
import type { Language } from "~/i18n/languages";
import { plainTextOf } from "./plain-text";
import { blocksOf } from "./read-markdown.server";
import type { Block, Content, Inline, Link, Section } from "./shared";

const FrontMatter = z.strictObject({ title: z.string().min(3), description: z.string().min(40) });

/**
 * Parses a page of prose: front matter with `title` and `description`; one `#` heading, an introductory paragraph and a
 * list of action links; then sections that begin with `##`. The list after the last `---` has the links to further
 * pages.
 * @throws Error when a part is missing or cannot be shown.
 */
export function readContent(text: string, language: Language): Content {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error("the page has no front matter");
  const tokens = lexer(body).filter(({ type }) => type !== "space");
  const [before, after] = cutAtRule(tokens);
  const [title, lead, ...rest] = blocksOf(before);
  if (title?.kind !== "heading" || lead?.kind !== "paragraph") throw new Error("the page has no title or no lead");
  const actions = rest[0]?.kind === "list" && rest[0].items.every(isLink) ? rest.shift() : undefined;
  const first = rest.findIndex(isSection);
  return {
    ...FrontMatter.parse(parse(head)),
    language,
    heading: plainTextOf(title.inner),
    lead: lead.inner,
    actions: actions === undefined ? [] : linksOf(actions),
    opening: first === -1 ? rest : rest.slice(0, first),
    sections: first === -1 ? [] : sectionsOf(rest.slice(first)),
    next: blocksOf(after).flatMap(linksOf),
  };
}

function cutAtRule(tokens: readonly Token[]): [before: readonly Token[], after: readonly Token[]] {
  const rule = tokens.findLastIndex(({ type }) => type === "hr");
  return rule === -1 ? [tokens, []] : [tokens.slice(0, rule), tokens.slice(rule + 1)];
}

const isSection = (block: Block) => block.kind === "heading" && block.level === 2;

function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: (Section & { blocks: Block[] })[] = [];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 2)
      sections.push({ id: block.id, title: plainTextOf(block.inner), blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections;
}

/** The inline text of a list item with a single paragraph. */
const inlinesOfItem = ([only, more]: readonly Block[]): readonly Inline[] =>
  only?.kind === "paragraph" && more === undefined ? only.inner : [];

const isLink = (item: readonly Block[]) => {
  const [link, more] = inlinesOfItem(item);
  return link?.kind === "link" && more === undefined;
};

/** List items that start with a link, and the text after it. */
function linksOf(block: Block): (Link & { text: string })[] {
  if (block.kind !== "list") throw new Error("links to read on stand in a list");
  return block.items.map((item) => {
    const [link, ...text] = inlinesOfItem(item);
    if (link?.kind !== "link") throw new Error("a point of the list does not begin with a link");
    return { href: link.href, name: plainTextOf(link.inner), text: plainTextOf(text).trim() };
  });
}

import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { CannotOpen, unsealWith } from "~/sealing/sealing.server";
import { currentDataKey, type DataKey } from "./data-key";
import { placeOfTurn } from "./keep-turn";
import type { ConversationFilter, ConversationView, TurnContent, TurnView } from "./shared";
import {
  type ConversationScope,
  deleteConversationRow,
  deleteExpired,
  findConversationOf,
  findConversations,
  findTurn,
  findTurns,
} from "./store";

/** Maximum turns shown of a conversation, latest first. */
const MAX_TURNS = 200;
/** Number of conversations, latest first, that a text search covers, and the number decrypted at once. */
const SEARCHED = 500;
const AT_ONCE = 25;

/** The actor's own organisation; owners and platform admins see the organisation that they view, or all. */
function scopeFor(actor: Actor): ConversationScope {
  if (!atLeast(actor.role, "org_admin")) throw apiError("forbidden");
  return { organisationId: atLeast(actor.role, "platform_admin") ? actor.adminOrganisationId : actor.organisationId };
}

/**
 * Returns stored conversations without content, latest start first. With `q`, those of the latest 500 whose requests or
 * answers contain the text; `isWhole` is false when older ones were not searched.
 * @throws AppError forbidden below organisation admin
 */
export async function listConversations(
  db: Db,
  actor: Actor,
  query: { filter: ConversationFilter; beforeId: number | null; limit: number },
): Promise<{ conversations: ConversationView[]; nextBeforeId: number | null; isWhole: boolean }> {
  const scope = scopeFor(actor);
  const { filter, limit } = query;
  if (filter.q !== undefined) return search(db, actor, scope, { ...filter, q: filter.q }, limit);
  const rows = await findConversations(db, scope, { ...query, limit: limit + 1 });
  const conversations = rows.slice(0, limit);
  const nextBeforeId = rows.length > limit ? (conversations.at(-1)?.id ?? null) : null;
  return { conversations, nextBeforeId, isWhole: true };
}

async function search(
  db: Db,
  actor: Actor,
  scope: ConversationScope,
  filter: ConversationFilter & { q: string },
  limit: number,
) {
  const needle = filter.q.toLowerCase();
  const conversations: ConversationView[] = [];
  const open = opener(db);
  let beforeId: number | null = null;
  let scanned = 0;
  let isWhole = false;
  while (scanned < SEARCHED && conversations.length < limit && !isWhole) {
    const page: ConversationView[] = await findConversations(db, scope, { filter, beforeId, limit: AT_ONCE });
    for (const conversation of page) {
      const turns = await open(conversation);
      const has = (text: string) => text.toLowerCase().includes(needle);
      if (turns.some(({ content }) => content !== null && (has(content.request) || has(content.answer))))
        conversations.push(conversation);
    }
    scanned += page.length;
    beforeId = page.at(-1)?.id ?? null;
    isWhole = page.length < AT_ONCE;
  }
  await recordReading(db, actor, scope, "conversation.search");
  return { conversations: conversations.slice(0, limit), nextBeforeId: null, isWhole };
}

/**
 * Returns one conversation with its latest 200 requests and answers, and records an audit event.
 * @throws AppError forbidden below organisation admin; not_found, the same for another organisation's conversation and
 *   an unknown id.
 */
export async function readConversation(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ conversation: ConversationView; turns: TurnView[] }> {
  const conversation = await requireConversation(db, scopeFor(actor), id);
  const turns = await opener(db)(conversation);
  await recordAuditEvent(db, { ...about(actor, conversation), action: "conversation.read" });
  return { conversation, turns };
}

/** Whether the texts of a request are stored and the actor may read them. */
export async function mayReadTurn(db: Db, actor: Actor, requestId: string): Promise<boolean> {
  return atLeast(actor.role, "org_admin") && (await findConversationOf(db, scopeFor(actor), requestId)) !== null;
}

/**
 * Returns the texts of one stored request, and records an audit event. Null: they are not stored, or the actor may not
 * read them.
 */
export async function readTurn(
  db: Db,
  actor: Actor,
  requestId: string,
): Promise<(TurnContent & { model: string }) | null> {
  const id = atLeast(actor.role, "org_admin") ? await findConversationOf(db, scopeFor(actor), requestId) : null;
  const turn = id === null ? null : await findTurn(db, requestId);
  if (id === null || turn === null) return null;
  const conversation = await requireConversation(db, scopeFor(actor), id);
  const key = await currentDataKey(db, conversation.organisationId);
  const content = key === null ? null : opened(key.key, turn.content, requestId);
  if (content === null) return null;
  await recordAuditEvent(db, { ...about(actor, conversation), action: "conversation.read" });
  return { ...content, model: turn.model };
}

/**
 * Permanently deletes a conversation with all its content.
 * @throws AppError forbidden below organisation admin; not_found, also when repeated.
 */
export function deleteConversation(db: Db, actor: Actor, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    const scope = scopeFor(actor);
    const conversation = await requireConversation(tx, scope, id);
    if ((await deleteConversationRow(tx, scope, id)) === 0) throw apiError("not_found");
    await recordAuditEvent(tx, { ...about(actor, conversation), action: "conversation.delete" });
  });
}

/**
 * Yields all matching conversations of the actor's scope with their content, page by page, and records an audit event.
 */
export async function* exportConversations(
  db: Db,
  actor: Actor,
  filter: ConversationFilter,
): AsyncGenerator<{ conversation: ConversationView; turns: TurnView[] }[], void, undefined> {
  const scope = scopeFor(actor);
  await recordReading(db, actor, scope, "conversation.export");
  let beforeId: number | null = null;
  do {
    const page: ConversationView[] = await findConversations(db, scope, { filter, beforeId, limit: AT_ONCE });
    const open = opener(db);
    const opened: { conversation: ConversationView; turns: TurnView[] }[] = [];
    for (const conversation of page) opened.push({ conversation, turns: await open(conversation) });
    yield opened;
    beforeId = page.length < AT_ONCE ? null : (page.at(-1)?.id ?? null);
  } while (beforeId !== null);
}

/**
 * Deletes requests older than their organisation's retention. Returns their number. May be interrupted and repeated.
 */
export const purgeConversations = (db: Db, maximum: number): Promise<number> => deleteExpired(db, maximum);

async function requireConversation(db: Db, scope: ConversationScope, id: number): Promise<ConversationView> {
  const [conversation] = await findConversations(db, scope, { filter: {}, beforeId: null, limit: 1, onlyId: id });
  if (conversation === undefined) throw apiError("not_found");
  return conversation;
}

/** Opens the turns of conversations; each organisation's key is read once. */
function opener(db: Db): (conversation: ConversationView) => Promise<TurnView[]> {
  const keys = new Map<number, DataKey | null>();
  return async ({ id, organisationId }) => {
    if (!keys.has(organisationId)) keys.set(organisationId, await currentDataKey(db, organisationId));
    const key = keys.get(organisationId) ?? null;
    const turns = await findTurns(db, [id], MAX_TURNS);
    return turns.map(({ requestId, at, expiresAt, endpoint, model, content }) => ({
      requestId,
      at,
      expiresAt,
      endpoint,
      model,
      content: key === null ? null : opened(key.key, content, requestId),
    }));
  };
}

function opened(key: Buffer, content: string, requestId: string): TurnContent | null {
  try {
    return JSON.parse(unsealWith(key, content, placeOfTurn(requestId))) as TurnContent;
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

const about = (actor: Actor, { id, organisationId }: ConversationView) => ({
  by: authorOf(actor),
  target: { kind: "conversation", id, label: "" },
  organisationId,
});

async function recordReading(db: Db, actor: Actor, scope: ConversationScope, action: AuditAction): Promise<void> {
  const organisationId = scope.organisationId ?? actor.organisationId;
  await recordAuditEvent(db, {
    by: authorOf(actor),
    action,
    target: { kind: "organisation", id: organisationId, label: "" },
    organisationId,
  });
}

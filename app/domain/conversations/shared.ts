/** One request and its answer, as text. Images, files and audio are not stored. */
export type TurnContent = { request: string; answer: string };

/** A finished call to store. */
export type FinishedTurn = {
  requestId: string;
  organisationId: number;
  keyId: number;
  userId: number | null;
  sessionId: string | null;
  endpoint: string;
  model: string;
  at: Date;
};

/** A stored conversation without its content. */
export type ConversationView = {
  id: number;
  organisationId: number;
  organisationName: string;
  keyId: number;
  keyName: string;
  userName: string | null;
  sessionId: string | null;
  model: string;
  turns: number;
  startedAt: Date;
  lastAt: Date;
};

/** One request of a conversation. `content` is null when it can no longer be decrypted. */
export type TurnView = {
  requestId: string;
  at: Date;
  expiresAt: Date;
  endpoint: string;
  model: string;
  content: TurnContent | null;
};

/** Filters of conversations; absent ones do not restrict. `q` searches the texts of the latest conversations. */
export type ConversationFilter = { q?: string; model?: string; session?: string; keyId?: number };

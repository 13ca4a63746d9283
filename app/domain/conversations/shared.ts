/** One request and its answer, as texts. Pictures, files and sound are not stored. */
export type TurnContent = { request: string; answer: string };

/** A finished call that is to be stored. */
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

/** One request of a conversation. `content` is null where it can no longer be decrypted. */
export type TurnView = {
  requestId: string;
  at: Date;
  expiresAt: Date;
  endpoint: string;
  model: string;
  content: TurnContent | null;
};

/** Which conversations are wanted; what is absent does not restrict. `q` is looked for in the texts of the latest ones. */
export type ConversationFilter = { q?: string; model?: string; session?: string; keyId?: number };

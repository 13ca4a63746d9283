import { setTimeout as pause } from "node:timers/promises";
import { inTransaction, publish } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { seal, unseal } from "~/sealing/sealing.server";
import { associatedData } from "./associated-data";
import { recordTokenEvent } from "./record-events";
import { RENEWAL_TIMEOUT_MS, RenewalFailed, type RenewedToken, requestToken } from "./request-token";
import type { Token, TokenEventKind } from "./shared";
import { type Claimed, claimRenewal, findRow, saveFailure, saveRenewed } from "./store";
import { journalRenewed } from "./token-journal";
import { stateOf, type TokenState, tokenFreshness } from "./token-state";

/** No token is available. `errorKind` is a one-word reason. */
export class NoToken extends Error {
  override readonly name = "NoToken";
  readonly errorKind: string;

  constructor(errorKind: string) {
    super(`there is no usable token: ${errorKind}`);
    this.errorKind = errorKind;
  }
}

const LEASE_SECONDS = (2 * RENEWAL_TIMEOUT_MS) / 1_000;
const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** Interval in milliseconds of the checks whether another process has renewed the token. */
const LOOK_MS = 60;
/** Maximum duration of these checks in milliseconds. */
const PATIENCE_MS = 2 * LEASE_SECONDS * 1_000;
/** Age in milliseconds up to which a rejected token is not renewed again: the token itself is not the cause. */
const TRUSTED_MS = 30_000;
const SAVE_AGAIN_MS = 500;
const MAX_FINAL_ATTEMPTS = 6;

/**
 * Holds the OAuth tokens of a process, and renews them in time. For each renewal there is only one request, independent
 * of the number of calls and processes: the process with the row's lease sends it, all others wait for the stored
 * result. A renewed token is stored before its first use.
 */
export class TokenKeeper {
  readonly #states = new Map<number, TokenState>();
  readonly #renewals = new Map<number, Promise<TokenState>>();
  readonly #owner: string;
  readonly #request: typeof requestToken;
  readonly #saveAgainMs: number;
  #stopped = false;

  /**
   * @param owner identifies this keeper among those of other processes;
   * @param saveAgainMs pause between attempts to store a token
   */
  constructor(owner: string, request: typeof requestToken = requestToken, saveAgainMs = SAVE_AGAIN_MS) {
    this.#owner = owner;
    this.#request = request;
    this.#saveAgainMs = saveAgainMs;
  }

  /** Adopts the stored state, unless a newer one is known. */
  adopt(state: TokenState): void {
    const known = this.#states.get(state.id);
    if (known === undefined || known.generation <= state.generation) this.#states.set(state.id, state);
  }

  /** Removes tokens that no longer exist. */
  retainOnly(ids: ReadonlySet<number>): void {
    for (const id of this.#states.keys()) if (!ids.has(id)) this.#states.delete(id);
  }

  /** Returns the current token: immediately while it is fresh, else after its renewal. @throws NoToken */
  current(id: number): Token | Promise<Token> {
    const state = this.#states.get(id);
    if (state === undefined) return this.#unknown(id);
    const freshness = tokenFreshness(state, Date.now());
    if (freshness === "over") return this.#renewed(state);
    if (freshness === "due") this.#renewBehind(state);
    return { text: state.text as string, generation: state.generation };
  }

  /** Handles a token that a supplier has rejected. Returns its successor, renewed if necessary; null: none. */
  async refused(id: number, generation: number): Promise<Token | null> {
    const state = this.#states.get(id);
    if (state === undefined) return null;
    if (state.generation > generation) return tokenIn(state);
    if (state.refreshedAt !== null && Date.now() - state.refreshedAt < TRUSTED_MS) return null;
    try {
      const renewed = await this.#renew(state);
      return renewed.generation > generation ? tokenIn(renewed) : null;
    } catch (error) {
      if (error instanceof RenewalFailed) return null;
      throw error;
    }
  }

  /** Reads a credential again after a change by any process. */
  async reload(id: number): Promise<void> {
    const state = await this.#read(id);
    if (state === null) this.#states.delete(id);
    else this.adopt(state);
  }

  /** Starts the renewals that are due. Returns their number. */
  tick(): number {
    const now = Date.now();
    const due = [...this.#states.values()].filter((state) => tokenFreshness(state, now) !== "fresh");
    for (const state of due) this.#renewBehind(state);
    return due.length;
  }

  /** Starts no further renewals, and waits for those in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#renewals.values());
  }

  /** Handles a credential that is new in this process, or deleted. */
  async #unknown(id: number): Promise<Token> {
    await this.reload(id);
    if (!this.#states.has(id)) throw new NoToken("removed");
    return this.current(id);
  }

  async #renewed(state: TokenState): Promise<Token> {
    try {
      return tokenIn(await this.#renew(state)) ?? never();
    } catch (error) {
      const known = this.#states.get(state.id);
      // The renewal failed, but the token has not expired yet.
      if (known?.text != null && (known.expiresAt === null || known.expiresAt > Date.now())) return tokenIn(known)!;
      throw error instanceof RenewalFailed ? new NoToken(error.errorKind) : error;
    }
  }

  #renewBehind(state: TokenState): void {
    if (this.#stopped || state.isRevoked || (state.retryAt ?? 0) > Date.now()) return;
    this.#renew(state).catch((error: unknown) => {
      if (!(error instanceof RenewalFailed)) log.warn({ err: error }, "a token could not be renewed");
    });
  }

  /** Runs one renewal per credential at a time; concurrent callers share it. @throws RenewalFailed */
  #renew(state: TokenState): Promise<TokenState> {
    let renewal = this.#renewals.get(state.id);
    if (renewal === undefined) {
      renewal = this.#renewOrWait(state).finally(() => this.#renewals.delete(state.id));
      this.#renewals.set(state.id, renewal);
    }
    return renewal;
  }

  async #renewOrWait({ id, generation }: TokenState): Promise<TokenState> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const claim = { id, generation, owner: this.#owner, leaseSeconds: LEASE_SECONDS };
      const claimed = this.#stopped ? null : await claimRenewal(db(), claim);
      if (claimed !== null) return this.#renewHere(id, generation, claimed);
      const state = await this.#read(id);
      if (state === null) throw new RenewalFailed("removed");
      this.adopt(state);
      if (state.generation > generation) return state;
      if (state.isRevoked) throw new RenewalFailed("revoked");
      if ((state.retryAt ?? 0) > Date.now()) throw new RenewalFailed("waiting");
      if (this.#stopped || Date.now() > until) throw new RenewalFailed("timeout");
      await pause(LOOK_MS);
    }
  }

  async #renewHere(id: number, generation: number, claimed: Claimed): Promise<TokenState> {
    const state = this.#states.get(id) ?? (await this.#read(id));
    if (state === null) throw new RenewalFailed("removed");
    let renewed: RenewedToken;
    try {
      const refreshToken = unseal(claimed.sealed_refresh_token, associatedData(state, "refresh_token"));
      renewed = await this.#request({ tokenUrl: claimed.token_url, clientId: claimed.client_id, refreshToken });
    } catch (error) {
      throw await this.#failed(state, error);
    }
    await this.#save(state, generation, renewed);
    const now = (await this.#read(id)) ?? never();
    this.adopt(now);
    return now;
  }

  /** Retries until the database has the new tokens, because the old refresh token may already be invalid. */
  async #save(state: TokenState, generation: number, renewed: RenewedToken): Promise<void> {
    const { accessToken, refreshToken, expiresInSeconds } = renewed;
    const sealed = {
      token: seal(accessToken, associatedData(state, "token")),
      refreshToken: refreshToken === null ? null : seal(refreshToken, associatedData(state, "refresh_token")),
      expiresInSeconds,
    };
    const expiresAt = expiresInSeconds === null ? null : Date.now() + expiresInSeconds * 1_000;
    const { token, refreshToken: sealedRefresh } = sealed;
    const forget = journalRenewed({ id: state.id, generation, token, refreshToken: sealedRefresh, expiresAt });
    for (let triesAtEnd = 0; ; ) {
      try {
        const isSaved = await inTransaction(db(), async (tx) => {
          const saved = await saveRenewed(tx, { id: state.id, generation }, sealed);
          if (saved) await publish(tx, "credentials", String(state.id));
          return saved;
        });
        forget();
        if (isSaved)
          this.#tell(state, {
            kind: "refreshed",
            errorKind: null,
            detail: expiresInSeconds === null ? null : `for ${expiresInSeconds} s`,
          });
        return;
      } catch (error) {
        log.error(
          { err: error, supplier: state.supplier, credential: state.name },
          "a renewed token waits for the database",
        );
        // A process that shuts down limits its attempts.
        if (this.#stopped) triesAtEnd += 1;
        if (triesAtEnd > MAX_FINAL_ATTEMPTS) throw new RenewalFailed("not_saved", { cause: error });
        await pause(this.#saveAgainMs);
      }
    }
  }

  async #failed(state: TokenState, error: unknown): Promise<RenewalFailed> {
    const failure = error instanceof RenewalFailed ? error : new RenewalFailed("cannot_open", { cause: error });
    const { id, generation } = state;
    const row = await findRow(db(), id);
    const retrySeconds = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** (row?.failures ?? 0));
    await saveFailure(db(), { id, generation, owner: this.#owner }, { retrySeconds, revoked: failure.isFinal });
    await publish(db(), "credentials", String(id));
    const detail = failure.isFinal ? "connect this account again" : `again in ${retrySeconds} s`;
    this.#tell(state, { kind: failure.isFinal ? "revoked" : "refresh_failed", errorKind: failure.errorKind, detail });
    log.warn(
      { supplier: state.supplier, credential: state.name, errorKind: failure.errorKind },
      "a token was not renewed",
    );
    await this.reload(id);
    return failure;
  }

  #tell(
    { supplier, name }: TokenState,
    event: { kind: TokenEventKind; errorKind: string | null; detail: string | null },
  ): void {
    recordTokenEvent({ provider: supplier, keyName: name, source: "refresh", ...event });
  }

  async #read(id: number): Promise<TokenState | null> {
    const row = await findRow(db(), id);
    if (row === null || !row.active || row.kind !== "oauth") return null;
    return stateOf(row, row.sealedToken === null ? null : unseal(row.sealedToken, associatedData(row, "token")));
  }
}

const tokenIn = ({ text, generation }: TokenState): Token | null => (text === null ? null : { text, generation });

function never(): never {
  throw new RenewalFailed("removed");
}

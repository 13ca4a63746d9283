import { setTimeout as pause } from "node:timers/promises";
import { inTransaction, publish } from "~/bus.server";
import { db } from "~/db.server";
import { log } from "~/log.server";
import { seal, unseal } from "~/sealing.server";
import { associatedData } from "./associated-data";
import { recordTokenEvent } from "./record-events";
import { RENEWAL_TIMEOUT_MS, RenewalFailed, type RenewedToken, requestToken } from "./request-token";
import type { Token, TokenEventKind } from "./shared";
import { type Claimed, claimRenewal, findRow, saveFailure, saveRenewed } from "./store";
import { keepRenewed } from "./token-journal";
import { stateOf, type TokenState, tokenFreshness } from "./token-state";

/** There is no token to use. `errorKind` says why, in a word. */
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
/** Another process is renewing it: its result is looked for this often … */
const LOOK_MS = 60;
/** … and this long. */
const PATIENCE_MS = 2 * LEASE_SECONDS * 1_000;
/** A token that a supplier refuses so soon after it was made is not what is wrong. */
const TRUSTED_MS = 30_000;
const SAVE_AGAIN_MS = 500;
const MAX_FINAL_ATTEMPTS = 6;

/**
 * The OAuth tokens of a process: gives out the current one and renews it in time. However many calls and processes want
 * the same token renewed, one request is made: who has the row's lease makes it, all others wait for what it writes. A
 * renewed token is in the database before anybody uses it.
 */
export class TokenKeeper {
  readonly #states = new Map<number, TokenState>();
  readonly #renewals = new Map<number, Promise<TokenState>>();
  readonly #owner: string;
  readonly #request: typeof requestToken;
  readonly #saveAgainMs: number;
  #stopped = false;

  /** @param owner tells this keeper from those of other processes; @param saveAgainMs the pause before a token is written again */
  constructor(owner: string, request: typeof requestToken = requestToken, saveAgainMs = SAVE_AGAIN_MS) {
    this.#owner = owner;
    this.#request = request;
    this.#saveAgainMs = saveAgainMs;
  }

  /** Takes over what the database says now; older news than what is known are ignored. */
  adopt(state: TokenState): void {
    const known = this.#states.get(state.id);
    if (known === undefined || known.generation <= state.generation) this.#states.set(state.id, state);
  }

  /** Forgets tokens that are no longer there. */
  keepOnly(ids: ReadonlySet<number>): void {
    for (const id of this.#states.keys()) if (!ids.has(id)) this.#states.delete(id);
  }

  /** The token to use now; at once where it is fresh, else once it is renewed. @throws NoToken */
  current(id: number): Token | Promise<Token> {
    const state = this.#states.get(id);
    if (state === undefined) return this.#unknown(id);
    const freshness = tokenFreshness(state, Date.now());
    if (freshness === "over") return this.#renewed(state);
    if (freshness === "due") this.#renewBehind(state);
    return { text: state.text as string, generation: state.generation };
  }

  /** A supplier has refused a token. The next one, where there is one or it can be had; null otherwise. */
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

  /** Reads a credential again: some process has changed it. */
  async reload(id: number): Promise<void> {
    const state = await this.#read(id);
    if (state === null) this.#states.delete(id);
    else this.adopt(state);
  }

  /** Begins to renew what is due. Returns how many tokens that is. */
  tick(): number {
    const now = Date.now();
    const due = [...this.#states.values()].filter((state) => tokenFreshness(state, now) !== "fresh");
    for (const state of due) this.#renewBehind(state);
    return due.length;
  }

  /** Begins nothing new and waits for the in-flight renewals. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#renewals.values());
  }

  /** A credential that is new here, or gone. */
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
      // It could not be renewed, and it is not over yet.
      if (known?.text != null && (known.expiresAt === null || known.expiresAt > Date.now())) return tokenIn(known)!;
      throw error instanceof RenewalFailed ? new NoToken(error.errorKind) : error;
    }
  }

  #renewBehind(state: TokenState): void {
    if (this.#stopped || state.isRevoked || (state.retryAt ?? 0) > Date.now()) return;
    this.#renew(state).catch((problem: unknown) => {
      if (!(problem instanceof RenewalFailed)) log.warn({ err: problem }, "a token could not be renewed");
    });
  }

  /** One renewal a credential at a time; who comes meanwhile shares it. @throws RenewalFailed */
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

  /** Writes new tokens until the database has them: the old refresh token may be worth nothing any more. */
  async #save(state: TokenState, generation: number, renewed: RenewedToken): Promise<void> {
    const { accessToken, refreshToken, expiresInSeconds } = renewed;
    const sealed = {
      token: seal(accessToken, associatedData(state, "token")),
      refreshToken: refreshToken === null ? null : seal(refreshToken, associatedData(state, "refresh_token")),
      expiresInSeconds,
    };
    const expiresAt = expiresInSeconds === null ? null : Date.now() + expiresInSeconds * 1_000;
    const { token, refreshToken: sealedRefresh } = sealed;
    const forget = keepRenewed({ id: state.id, generation, token, refreshToken: sealedRefresh, expiresAt });
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
        // A process that is going down waits for its database for a while, and not for ever.
        if (this.#stopped) triesAtEnd += 1;
        if (triesAtEnd > MAX_FINAL_ATTEMPTS) throw new RenewalFailed("not_saved", { cause: error });
        await pause(this.#saveAgainMs);
      }
    }
  }

  async #failed(state: TokenState, problem: unknown): Promise<RenewalFailed> {
    const failure = problem instanceof RenewalFailed ? problem : new RenewalFailed("cannot_open", { cause: problem });
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

import { currentToken, NoToken, tokenAfterRejection } from "~/domain/credentials/index.server";
import type { Token } from "~/domain/credentials/shared";
import type { ErrorCode } from "~/errors/catalogue";
import type { Exchange, Outgoing, SupplierReply } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { signedIn } from "./access-token";

/**
 * Sends a request with its credential of any kind: at once with a fixed key, or after a fresh OAuth token or an
 * account's token is available. If the supplier refuses the token, renews it and sends the request again, once: a
 * refused request was not executed.
 * @param asErrorCode the error code if no credential is available
 */
export function signed(
  outgoing: Pick<Outgoing, "credential" | "route">,
  send: (secret: string | null) => Exchange,
  asErrorCode: ErrorCode | null = null,
): Exchange {
  const { credential } = outgoing;
  if (credential?.tokenId === undefined) return signedIn(outgoing, send);
  return new TokenExchange(credential.tokenId, send, asErrorCode);
}

class TokenExchange implements Exchange {
  readonly reply: Promise<SupplierReply>;
  readonly #tokenId: number;
  readonly #send: (secret: string) => Exchange;
  readonly #asErrorCode: ErrorCode | null;
  #under: Exchange | null = null;
  #isAborted = false;

  constructor(tokenId: number, send: (secret: string) => Exchange, asErrorCode: ErrorCode | null) {
    this.#tokenId = tokenId;
    this.#send = send;
    this.#asErrorCode = asErrorCode;
    this.reply = this.#answer();
  }

  abort(): void {
    this.#isAborted = true;
    this.#under?.abort();
  }

  async #answer(): Promise<SupplierReply> {
    const token = await this.#token(() => currentToken(this.#tokenId));
    try {
      return await this.#sendWith(token);
    } catch (error) {
      if (!(error instanceof SupplierFailure) || error.status !== 401) throw error;
      const next = await this.#token(() => tokenAfterRejection(this.#tokenId, token.generation));
      if (next === null) throw error;
      return this.#sendWith(next);
    }
  }

  #sendWith({ text }: Token): Promise<SupplierReply> {
    if (this.#isAborted) throw new SupplierFailure("aborted", "the call was given up", { executed: "no" });
    this.#under = this.#send(text);
    return this.#under.reply;
  }

  async #token<Found>(find: () => Found | Promise<Found>): Promise<Found> {
    try {
      return await find();
    } catch (cause) {
      const message = cause instanceof NoToken ? cause.message : "there is no usable token";
      throw new SupplierFailure("credential", message, { executed: "no", asErrorCode: this.#asErrorCode, cause });
    }
  }
}

import type { Exchange, SupplierReply } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";

/**
 * Creates an exchange that begins after an asynchronous step, such as a signature or a token. A failure of that step is
 * of the kind `credential`, and nothing has been sent.
 */
export function deferred(begin: () => Promise<Exchange>): Exchange {
  let under: Exchange | null = null;
  let isAborted = false;
  const answer = async (): Promise<SupplierReply> => {
    const first = await begin().catch((cause: unknown) => {
      if (cause instanceof SupplierFailure) throw cause;
      throw new SupplierFailure("credential", "the request could not be signed", { executed: "no", cause });
    });
    under = first;
    if (isAborted) first.abort();
    return first.reply;
  };
  return {
    reply: answer(),
    abort() {
      isAborted = true;
      under?.abort();
    },
  };
}

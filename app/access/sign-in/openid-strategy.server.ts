import { Strategy } from "remix-auth/strategy";
import type { OpenIdProvider } from "~/config.server";
import type { Provider } from "~/domain/accounts/shared";
import { type Intent, leaveFor, requireJourney } from "./journey.server";
import { OpenIdClient } from "./openid-client.server";
import type { ProvedIdentity } from "./proved-identity";
import { answerProblem, providerAway, requireAddress, requireProvedSince } from "./provider-problem.server";
import { asksAnew, callbackOf } from "./provider-settings.server";
import { visitOf } from "./visit.server";

/** Signs in with an OpenID Connect provider. */
export class OpenIdStrategy<Proof> extends Strategy<Proof, ProvedIdentity> {
  override name: Provider;
  readonly #settings: OpenIdProvider;
  readonly #client: OpenIdClient;

  constructor(provider: Provider, settings: OpenIdProvider, verify: Strategy.VerifyFunction<Proof, ProvedIdentity>) {
    super(verify);
    this.name = provider;
    this.#settings = settings;
    this.#client = new OpenIdClient(settings);
  }

  /**
   * @throws Response that redirects the browser to the provider; AppError auth_issue for an invalid response, or
   *   service_unavailable when the provider is unreachable.
   */
  override async authenticate(request: Request): Promise<Proof> {
    const visit = visitOf("leave", "return");
    if (visit.step === "leave") throw await this.#leave(request, visit.intent);
    return this.verify(await this.#return(request));
  }

  async #leave(request: Request, intent: Intent): Promise<Response> {
    if (intent.confirms && !asksAnew(this.#settings)) requireProvedSince(null, intent.begunAt);
    const { url, secrets } = await this.#client
      .leave(callbackOf(this.name), { anew: intent.confirms })
      .catch((error) => {
        throw providerAway(this.name, error);
      });
    return leaveFor(this.name, request, { url, journey: { ...intent, ...secrets } });
  }

  async #return(request: Request): Promise<ProvedIdentity> {
    const journey = requireJourney(this.name, request);
    const here = new URL(callbackOf(this.name));
    here.search = new URL(request.url).search;
    try {
      const { email: reportedEmail, authTime, ...claims } = await this.#client.arrive(here, journey);
      const provedAt = authTime === null ? null : timeOf(authTime);
      if (journey.confirms) requireProvedSince(provedAt, journey.begunAt);
      return { claims: { ...claims, provider: this.name, email: requireAddress(reportedEmail) }, provedAt, journey };
    } catch (error) {
      throw answerProblem(this.name, error);
    }
  }
}

/** Converts the provider's time, but never to the future, as its clock may be ahead or wrong. */
const timeOf = (seconds: number): Date => new Date(Math.min(seconds * 1000, Date.now()));

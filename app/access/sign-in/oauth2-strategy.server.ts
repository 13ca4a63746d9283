import { Strategy } from "remix-auth/strategy";
import type { OAuth2Provider } from "~/config.server";
import type { Provider } from "~/domain/accounts/shared";
import { CodeExchange } from "./code-exchange.server";
import { fetchObject } from "./fetch-object.server";
import { type Intent, type Journey, leaveFor, requireJourney } from "./journey.server";
import { profileClaims } from "./profile-claims";
import type { ProvedIdentity } from "./proved-identity";
import { answerProblem, requireAddress, requireProvedSince } from "./provider-problem.server";
import { callbackOf } from "./provider-settings.server";
import { visitOf } from "./visit.server";

/**
 * Signs in with a plain OAuth 2 provider, by the profile that it returns for the access token. The profile does not
 * tell when the person signed in there, so it is no recent proof of identity.
 */
export class PlainOAuth2Strategy<Proof> extends Strategy<Proof, ProvedIdentity> {
  override name: Provider;
  readonly #settings: OAuth2Provider;

  constructor(provider: Provider, settings: OAuth2Provider, verify: Strategy.VerifyFunction<Proof, ProvedIdentity>) {
    super(verify);
    this.name = provider;
    this.#settings = settings;
  }

  /**
   * @throws Response that redirects the browser to the provider; AppError auth_issue for an invalid response, or
   *   service_unavailable when the provider is unreachable.
   */
  override async authenticate(request: Request): Promise<Proof> {
    const visit = visitOf("leave", "return");
    if (visit.step === "leave") throw this.#leave(request, visit.intent);
    const journey = requireJourney(this.name, request);
    return this.verify({ claims: await this.#claims(request, journey), provedAt: null, journey });
  }

  #leave(request: Request, intent: Intent): Response {
    if (intent.confirms) requireProvedSince(null, intent.begunAt);
    const { url, state, codeVerifier } = this.#exchange().leave();
    return leaveFor(this.name, request, { url, journey: { ...intent, state, codeVerifier, nonce: null } });
  }

  async #claims(request: Request, journey: Journey): Promise<ProvedIdentity["claims"]> {
    const { profileUrl, emailsUrl, fields } = this.#settings;
    try {
      const token = await this.#exchange().arrive(request, journey);
      const headers = { authorization: `Bearer ${token}` };
      const profile = await fetchObject(profileUrl, { headers });
      const emails = emailsUrl === null ? null : await fetchObject(emailsUrl, { headers });
      const { told, ...claims } = profileClaims(this.#settings, profile, emails);
      const email = requireAddress(told);
      // A subject identifies a person only together with the profile's URL and the name of its field.
      return { ...claims, provider: this.name, issuer: `${profileUrl}#${fields.subject}`, email };
    } catch (error) {
      throw answerProblem(this.name, error);
    }
  }

  #exchange = (): CodeExchange => new CodeExchange(this.#settings, callbackOf(this.name));
}

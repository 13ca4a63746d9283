import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { actorOf } from "~/access/actor.server";
import { languageOf } from "~/access/language.server";
import type { Given } from "~/access/portal/door.server";
import { pageAction } from "~/access/portal/page-action.server";
import { db } from "~/connection/db.server";
import { findAccountById } from "~/domain/accounts/index.server";
import { NewPasswordField, PersonNameField } from "~/domain/accounts/shared";
import { acceptInvite, readInvite } from "~/domain/organisations/index.server";
import type { NewMember } from "~/domain/people/index.server";
import { issue } from "~/errors/message";
import { NO_FIELDS } from "~/http/body/closed-schema";
import { clientAddressContext } from "~/http/server/client-address";
import { signInPerson } from "../../flow/sign-in-person.server";

const Params = z.object({ token: z.string() });
const AcceptForm = z.object({
  name: PersonNameField,
  password: NewPasswordField,
  accept_terms: z.literal("on", issue("problems:acceptTerms")),
});

type Joining = { request: Request; context: Readonly<RouterContextProvider>; token: string };

/** Accepts an invitation and signs a new person in. */
async function joinBy({ request, context, token }: Joining, member: NewMember) {
  const joined = await acceptInvite(db(), token, member);
  const account = await findAccountById(db(), joined.userId);
  const organisation = (await readInvite(db(), token))?.organisation ?? "";
  const isNew = member.kind === "new" && account !== null;
  const cookies = isNew ? await signInPerson({ request, context }, account) : [];
  return {
    to: "/dashboard",
    cookies,
    toast: { kind: "good" as const, text: "invite:welcome", values: { organisation } },
  };
}

const asNewPerson = pageAction({ allow: "anyone", params: Params, body: AcceptForm }, ({ body, params, ...here }) => {
  const { name, password } = body;
  const { context } = here;
  const about = { language: languageOf(context), address: context.get(clientAddressContext) };
  return joinBy({ ...here, token: params.token }, { kind: "new", name, password, ...about });
});

const asReader = pageAction({ allow: "signed-in", params: Params, body: NO_FIELDS }, ({ actor, params, ...here }) =>
  joinBy({ ...here, token: params.token }, { kind: "signedIn", actor }),
);

/** Accepts the invitation of a link, for the signed-in person or for a new one. */
export const acceptHere = (given: Given) => (actorOf(given.context) === null ? asNewPerson : asReader)(given);

import { RouterContextProvider } from "react-router";
import { db } from "~/connection/db.server";
import { inviteById, listInvites } from "~/domain/organisations/index.server";
import { inviteByMail } from "~/routes/invitation-email.server";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { inviteAnswer, inviteListAnswer } from "./invite-answers";
import { CreateInvite, ListInvites } from "./invite-requests";

const invites = manageEndpoint(
  {
    GET: async (call) => inviteListAnswer(await listInvites(db(), await actorOf(call), call.query(ListInvites))),
    POST: async (call) => {
      const actor = await actorOf(call);
      const invite = await call.body(CreateInvite);
      const here = { db: call.db, request: call.request, context: new RouterContextProvider() };
      const { invite: created } = await inviteByMail(actor, invite, here);
      return inviteAnswer(await inviteById(call.db, actor, created.id));
    },
  },
  { query: { GET: ListInvites }, body: { POST: CreateInvite }, admit: actorOf },
);

export const loader = invites;
export const action = invites;

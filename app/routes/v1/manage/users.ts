import { db } from "~/connection/db.server";
import { listPeople } from "~/domain/people/index.server";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { userListAnswer } from "./person-answers";
import { ListUsers } from "./person-requests";

const users = manageEndpoint(
  { GET: async (call) => userListAnswer(await listPeople(db(), await actorOf(call), call.query(ListUsers))) },
  { query: { GET: ListUsers } },
);

export const loader = users;
export const action = users;

import { createContext, type MiddlewareFunction } from "react-router";
import { AppError, toAppError } from "~/errors/app-error";
import { declared } from "~/http/declaration";
import { wantsJson } from "../wants-json";
import {
  type Allow,
  type Call,
  type Given,
  type Out,
  problemPage,
  problemResponse,
  type Schema,
  throughDoor,
} from "./door.server";

/** The error of a page or its form, for programs. */
export const problemContext = createContext<AppError | null>(null);

/**
 * Creates the loader of a page. After an error, browsers get the error page with its status; programs that request JSON
 * get the fields of the error, by `problemsAsJson`.
 */
export function pageLoader<
  Data,
  const A extends Allow,
  const P extends Schema = undefined,
  const Q extends Schema = undefined,
>(
  options: { allow: A; params?: P; query?: Q },
  read: (call: Call<A, Out<P>, Out<Q>, undefined>) => Data | Promise<Data>,
) {
  const { allow, params, query } = options;
  const loader = (given: Given): Promise<Data> =>
    throughDoor<Data>({ allow, methods: ["GET"], params, query, bodies: {} }, given, {
      run: (call) => read(call as Call<A, Out<P>, Out<Q>, undefined>),
      refuse: (error) => {
        if (!(error instanceof Response)) given.context.set(problemContext, toAppError(error));
        // Rethrown unchanged, so that it is logged like every unexpected error.
        if (!(error instanceof AppError)) throw error;
        throw wantsJson(given.request) ? problemResponse(error) : problemPage(error, given.context);
      },
    });
  return declared(loader, { methods: ["GET"], allow, params, query: query && { GET: query } });
}

/** Middleware of all pages: sends programs the fields and headers of an error of a page or its form. */
export const problemsAsJson: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const response = await next();
  const error = context.get(problemContext);
  return error !== null && wantsJson(request) ? problemResponse(error) : response;
};

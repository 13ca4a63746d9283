import type { DescribedOperation, OpenApiDocument } from "~/openapi/shared";
import { fieldOf, fieldsOf } from "./read-fields";
import { samplesOf } from "./samples";
import type { ShownContent, ShownOperation, ShownSection } from "./shared";

type Listed = { tag: string; shown: Omit<ShownOperation, "matches"> };

const listedOnce = new WeakMap<OpenApiDocument, Listed[]>();

/** Returns the API description by area; each operation is marked as a match if it contains all the words. */
export function readReference(document: OpenApiDocument, search: string) {
  const shortened = search.trim().slice(0, 100);
  const terms = shortened.toLowerCase().split(/\s+/).filter(Boolean);
  const all = listed(document).map(({ tag, shown }) => ({
    tag,
    shown: { ...shown, matches: terms.every((word) => shown.searchText.includes(word)) },
  }));
  const sections: ShownSection[] = document.tags
    .map(({ name, description }) => ({
      id: name.toLowerCase().replaceAll(" ", "-"),
      title: name,
      description,
      operations: all.filter(({ tag }) => tag === name).map(({ shown }) => shown),
    }))
    .filter(({ operations }) => operations.length > 0);
  const shown = all.filter((entry) => entry.shown.matches).length;
  return { baseUrl: document.servers[0]?.url ?? "", words: shortened, sections, total: all.length, shown };
}

function listed(document: OpenApiDocument): Listed[] {
  const there = listedOnce.get(document);
  if (there) return there;
  const made = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0] ?? "",
      shown: shownOperation({ document, method, path, operation }),
    })),
  );
  listedOnce.set(document, made);
  return made;
}

function shownOperation({
  document,
  method,
  path,
  operation,
}: {
  document: OpenApiDocument;
  method: string;
  path: string;
  operation: DescribedOperation;
}): Listed["shown"] {
  const fields = (place: string) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description }) => ({
        ...fieldOf({ document, name, given: schema, isRequired: required }),
        description: description ?? "",
      }));
  const searchText = `${method} ${path} ${operation.summary} ${operation.tags.join(" ")}`.toLowerCase();
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? "",
    access: accessOf(operation),
    pathFields: fields("path"),
    queryFields: fields("query"),
    headerFields: fields("header"),
    body: bodyOf(document, operation),
    samples: samplesOf({ document, method: method.toUpperCase(), path, operation }),
    // The format of errors is described once, at the top of the page.
    answers: Object.entries(operation.responses)
      .filter(([status]) => status === "200")
      .map(([status, { description, content = {}, headers = {} }]) => ({
        status,
        description,
        contents: Object.entries(content).map(([type, { schema }]) => contentOf(document, type, schema)),
        headers: Object.entries(headers).map(([name, header]) => ({
          ...fieldOf({ document, name, given: header.schema, isRequired: false }),
          description: header.description,
        })),
      })),
    errors: operation["x-error-codes"] ?? [],
    searchText,
    isPlainPage: isPlainPage(method, path, operation),
  };
}

const isPlainPage = (method: string, path: string, { parameters = [], responses }: DescribedOperation): boolean =>
  method === "get" &&
  !path.includes("{") &&
  parameters.length === 0 &&
  responses["200"]?.content?.["text/html"] !== undefined;

const WHO: Readonly<Record<string, string>> = {
  bearer: "a key",
  apiKeyHeader: "x-api-key",
  adminKey: "an admin key",
  session: "signed in",
};

const accessOf = ({ security }: DescribedOperation): string =>
  security.length === 0
    ? "anyone"
    : security
        .flatMap(Object.keys)
        .map((scheme) => WHO[scheme] ?? scheme)
        .join(" or ");

function bodyOf(document: OpenApiDocument, { requestBody }: DescribedOperation): ShownContent | null {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (!entry) return null;
  const types = Object.keys(requestBody?.content ?? {}).map(shortType);
  return { ...contentOf(document, entry[0], entry[1].schema), type: types.join(" or ") };
}

function contentOf(document: OpenApiDocument, type: string, schema: Parameters<typeof fieldsOf>[1]): ShownContent {
  return { type: shortType(type), fields: fieldsOf(document, schema), isFile: !type.includes("json") };
}

const shortType = (type: string) => (type === "application/x-www-form-urlencoded" ? "a form" : type);

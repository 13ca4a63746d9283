import type { Sample } from "../parts/CodeChoice";

/** A field of a body, a parameter or a header, with its nested fields. */
export type ShownField = {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** Bounds, choices and the default, as text. */
  rules: readonly string[];
  inner: readonly ShownField[];
};

export type ShownContent = { type: string; fields: readonly ShownField[]; isFile: boolean };

export type ShownOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  access: string;
  pathFields: readonly ShownField[];
  queryFields: readonly ShownField[];
  headerFields: readonly ShownField[];
  body: ShownContent | null;
  samples: readonly Sample[];
  answers: readonly {
    status: string;
    description: string;
    contents: readonly ShownContent[];
    headers: readonly ShownField[];
  }[];
  errors: readonly string[];
  /** An HTML page without input: it needs no details. */
  isPlainPage: boolean;
  matches: boolean;
  searchText: string;
};

export type ShownSection = { id: string; title: string; description: string; operations: readonly ShownOperation[] };

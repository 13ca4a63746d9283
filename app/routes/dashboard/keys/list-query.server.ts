import { z } from "zod";
import { KEY_SORTS, type KeyFilter, type KeySort } from "~/domain/keys/shared";
import { isPlace, NO_SUCH_PLACE, PlaceField, sortOf } from "~/http/body/list-order";
import { SelectedInAddress } from "../bulk-form";
import { KEY_FILTERS } from "./filters";

export const PAGE_SIZE = 50;

const NEWEST = "-created";
const orderOf = (sort: string | undefined): KeySort => sortOf(sort ?? NEWEST);

/** The query of the list: filters, order and position. `ids`: the selected keys of a file. */
export const KeyListQuery = z
  .object({ ...KEY_FILTERS.query, ids: SelectedInAddress, after: PlaceField })
  .refine(({ sort, after }) => isPlace(after, KEY_SORTS[orderOf(sort).by]), NO_SUCH_PLACE)
  .transform(({ q, status, owner, project, model, ids, sort, after }) => ({
    filter: { search: q, status, ownerId: owner, projectId: project, model, ids } satisfies KeyFilter,
    sort: orderOf(sort),
    sorted: sort ?? NEWEST,
    after: after ?? null,
  }));

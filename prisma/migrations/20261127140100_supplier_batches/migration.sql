-- Lines of a batch that are with a supplier, as a batch of the supplier's own.
CREATE TABLE supplier_batch (
  -- gw's own name, by which the supplier's batch is found again when nobody noted what the supplier calls it.
  id               text PRIMARY KEY,
  batch_id         text NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  route_id         integer NOT NULL,
  supplier         text NOT NULL,
  -- The credential whose account it lies in; null: the supplier has none.
  credential       text,
  -- What its lines cost, frozen: a price list, and what its prices are multiplied by, in millionths.
  price_version    bigint NOT NULL,
  price_millionths integer NOT NULL,
  -- preparing: holds are placed. creating: the supplier may have it. running: it has. refused: it takes no batches.
  state            text NOT NULL DEFAULT 'preparing'
    CHECK (state IN ('preparing', 'creating', 'running', 'ended', 'refused')),
  upstream_id      text,
  lines            integer NOT NULL,
  -- Why it was refused.
  reason           text,
  -- Not asked about before this.
  not_before       timestamptz,
  created_at       timestamptz NOT NULL,
  creating_at      timestamptz,
  cancelling_at    timestamptz,
  ended_at         timestamptz,
  CHECK (state <> 'running' OR upstream_id IS NOT NULL),
  CHECK ((ended_at IS NOT NULL) = (state IN ('ended', 'refused')))
);
CREATE INDEX supplier_batch_batch_id_idx ON supplier_batch (batch_id);

ALTER TABLE batch_line
  -- The route whose supplier is to take it in a batch; null: it is carried out as a call.
  ADD COLUMN route_id          integer,
  -- The supplier's batch that it is in; null: none yet.
  ADD COLUMN supplier_batch_id text REFERENCES supplier_batch (id),
  -- The call that its hold and its usage row are of, once it is in one.
  ADD COLUMN call_id           uuid,
  ADD CHECK ((supplier_batch_id IS NULL) = (call_id IS NULL));
CREATE INDEX batch_line_supplier_batch_id_idx ON batch_line (supplier_batch_id, position) WHERE supplier_batch_id IS NOT NULL;

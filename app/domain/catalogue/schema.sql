-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A field that a supplier has refused for a model, omitted from requests until `expires_at`. `words`: the supplier's
-- message.
CREATE TABLE learned_refusal (
  supplier text,
  model text,
  field text,
  words text NOT NULL,
  refused integer NOT NULL DEFAULT 1,
  learned_at timestamptz(6) NOT NULL DEFAULT now(),
  expires_at timestamptz(6) NOT NULL,
  PRIMARY KEY (supplier, model, field)
);

-- A model as clients name it. `capability` is chat, embedding, rerank, moderation, image, transcription or speech.
CREATE TABLE model (
  id text PRIMARY KEY,
  owned_by text NOT NULL,
  capability text NOT NULL,
  context_tokens integer NOT NULL,
  max_output_tokens integer NOT NULL,
  source text NOT NULL DEFAULT 'config',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Whether it can call tools and read images; null: unknown.
  tools boolean,
  images boolean,
  -- 0 to 100, for the autorouter; null: judged by its price.
  quality smallint CHECK (quality >= 0 AND quality <= 100),
  -- False: the autorouter never chooses it.
  auto boolean NOT NULL DEFAULT true,
  -- "preview" or "deprecated"; null: not declared.
  lifecycle text,
  -- When it is no longer served; null: no date.
  retires_at timestamptz(6)
);

-- One way to serve a model: lower `priority` first, then by `weight`.
CREATE TABLE model_route (
  id serial PRIMARY KEY,
  model_id text NOT NULL REFERENCES model(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  supplier_id integer NOT NULL REFERENCES supplier(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  upstream_model text NOT NULL,
  priority integer NOT NULL DEFAULT 1,
  weight integer NOT NULL DEFAULT 1,
  active boolean NOT NULL DEFAULT true,
  -- Field for the maximum output in requests for this model; null: as for the supplier.
  output_field text,
  -- Name of the profile of the model; null: derived from the upstream name.
  profile text
);
CREATE UNIQUE INDEX model_route_model_id_supplier_id_upstream_model_key ON model_route (model_id, supplier_id, upstream_model);

-- A price of a route from `valid_from` on; rows are never changed, the newest one holds. Its id is the price version
-- that a hold freezes. Token prices are nano-USD per million tokens, the others nano-USD per request, second and million
-- characters.
CREATE TABLE price (
  id bigserial PRIMARY KEY,
  route_id integer NOT NULL REFERENCES model_route(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  input_per_mtok bigint NOT NULL,
  output_per_mtok bigint NOT NULL,
  cached_input_per_mtok bigint,
  cache_write_per_mtok bigint,
  per_request bigint NOT NULL DEFAULT 0,
  per_second bigint NOT NULL DEFAULT 0,
  per_mchar bigint NOT NULL DEFAULT 0,
  valid_from timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Prices of units other than text tokens, which few suppliers bill; null: unknown.
  cache_write_1h_per_mtok bigint,
  audio_input_per_mtok bigint,
  audio_output_per_mtok bigint,
  -- nano-USD for each tool that the supplier runs and bills by use; null: unknown.
  per_tool_use bigint,
  -- Prices of calls with long inputs; null: every length costs the same.
  long_context jsonb,
  -- Prices of calls that the supplier answers at another tier of service; null: every tier costs the same.
  tiers jsonb
);
CREATE INDEX price_route_id_valid_from_idx ON price (route_id, valid_from);

-- A supplier of models. `source` is "config" (GW_CONFIG, applied at every start) or "portal".
CREATE TABLE supplier (
  id serial PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  base_url text NOT NULL DEFAULT '',
  region text NOT NULL,
  timeout_ms integer NOT NULL DEFAULT 60000,
  idle_timeout_ms integer NOT NULL DEFAULT 60000,
  cooldown boolean NOT NULL DEFAULT true,
  source text NOT NULL DEFAULT 'config',
  status text NOT NULL DEFAULT 'active',
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Whether its streams request usage.
  stream_usage boolean NOT NULL DEFAULT true,
  -- Whether it accepts the responses format.
  speaks_responses boolean NOT NULL DEFAULT false,
  -- Headers, query parameters and the header of the key, as sealed JSON; null: the default of its kind.
  sealed_extras text,
  -- Field for the maximum output in chat requests; null: as for its provider.
  output_field text,
  -- Format of its batches; null: it takes none.
  batch_protocol text,
  -- Factor for its prices in a batch, in millionths.
  batch_price integer CHECK (batch_price >= 0 AND batch_price <= 1000000),
  -- Whether it stores nothing that it receives; null: unknown.
  zero_data_retention boolean,
  CONSTRAINT supplier_check CHECK ((batch_protocol IS NULL) = (batch_price IS NULL)),
  CONSTRAINT supplier_extras_are_sealed CHECK (sealed_extras ~~ 'gw1.%')
);
CREATE UNIQUE INDEX supplier_name_key ON supplier (name);

-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A promotion: its amount, audience and limits. Credit keeps the terms of the day on which it was granted.
CREATE TABLE promotion (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names the act of making it: the same form sent twice makes one.
  request_id uuid NOT NULL UNIQUE,
  name text NOT NULL CHECK (length(name) >= 1 AND length(name) <= 120),
  amount bigint NOT NULL CHECK (amount > 0),
  -- Recipients: people who redeem its code, all who register from now on, one organisation, or one person.
  audience text NOT NULL CHECK (audience IN ('code', 'new', 'organisation', 'user')),
  organisation_id integer,
  user_id integer REFERENCES app_user(id),
  -- In capitals, without separators.
  code text UNIQUE CHECK (code ~ '^[0-9A-Z]{6,32}$'),
  limit_per_payer integer NOT NULL DEFAULT 1 CHECK (limit_per_payer > 0),
  limit_total integer CHECK (limit_total > 0),
  -- From then on no credit is granted, and remaining credit lapses; null: never.
  expires_at timestamptz,
  -- When it was ended: no more credit is granted, granted credit stays.
  ended_at timestamptz,
  created_by integer NOT NULL REFERENCES app_user(id),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT audience_is_named CHECK ((audience = 'code') = (code IS NOT NULL) AND (audience = 'organisation') = (organisation_id IS NOT NULL) AND (audience = 'user') = (user_id IS NOT NULL))
);
CREATE TRIGGER promotion_no_delete BEFORE DELETE ON promotion FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER promotion_no_truncate BEFORE TRUNCATE ON promotion FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Credit in a wallet that came from a promotion, and its use up to `promotion_position`.
CREATE TABLE promotion_credit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  promotion_id integer NOT NULL REFERENCES promotion(id),
  wallet_id bigint NOT NULL REFERENCES ledger_account(id),
  -- The person who redeemed it or for whom it was meant; null: an organisation.
  user_id integer REFERENCES app_user(id),
  -- The credit of which this is a part that went along with a wallet's money into another wallet.
  parent_id bigint REFERENCES promotion_credit(id),
  -- The posting that gave it, or moved it, and the entry of this wallet from which on it counts.
  txn_id bigint NOT NULL REFERENCES ledger_txn(id),
  from_seq bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  expires_at timestamptz,
  spent bigint NOT NULL DEFAULT 0,
  -- Went to something else than usage, because the wallet had nothing else: a refunded payment, credit used before.
  withdrawn bigint NOT NULL DEFAULT 0,
  moved bigint NOT NULL DEFAULT 0,
  expired bigint NOT NULL DEFAULT 0,
  remaining bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT whole_credit CHECK (LEAST(spent, withdrawn, moved, expired, remaining) >= 0 AND (spent + withdrawn + moved + expired + remaining) = amount)
);
CREATE INDEX promotion_credit_due ON promotion_credit (expires_at) WHERE remaining > 0;
CREATE INDEX promotion_credit_left ON promotion_credit (wallet_id, from_seq) WHERE remaining > 0;
CREATE INDEX promotion_credit_promotion ON promotion_credit (promotion_id) WHERE parent_id IS NULL;
CREATE INDEX promotion_credit_wallet ON promotion_credit (wallet_id);
CREATE TRIGGER promotion_credit_no_delete BEFORE DELETE ON promotion_credit FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER promotion_credit_no_truncate BEFORE TRUNCATE ON promotion_credit FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- People for whom a promotion for all new accounts has been decided.
CREATE TABLE promotion_person (
  promotion_id integer REFERENCES promotion(id),
  user_id integer REFERENCES app_user(id),
  PRIMARY KEY (promotion_id, user_id)
);

-- Up to which entry of a wallet's ledger its spending has been counted against its promotional credit.
CREATE TABLE promotion_position (
  wallet_id bigint PRIMARY KEY REFERENCES ledger_account(id),
  up_to bigint NOT NULL,
  at timestamptz NOT NULL
);

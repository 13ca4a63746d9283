-- The promotions room: credit that nobody paid for, given on terms. Amounts are nano-USD.

-- What is given, to whom, and how often. What was given keeps the terms of its day.
CREATE TABLE promotion (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names the act of making it: the same form sent twice makes one.
  request_id      uuid NOT NULL UNIQUE,
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  amount          bigint NOT NULL CHECK (amount > 0),
  -- Who gets it: whoever redeems its code, everybody who registers from now on, one organisation, or one person.
  audience        text NOT NULL CHECK (audience IN ('code', 'new', 'organisation', 'user')),
  organisation_id integer,
  user_id         integer REFERENCES app_user (id),
  -- In capitals, without separators.
  code            text UNIQUE CHECK (code ~ '^[0-9A-Z]{6,32}$'),
  limit_per_payer integer NOT NULL DEFAULT 1 CHECK (limit_per_payer > 0),
  limit_total     integer CHECK (limit_total > 0),
  -- From then on nobody gets it, and what is left of it lapses; NULL: never.
  expires_at      timestamptz,
  -- Somebody has ended it: nobody gets it any more, what was given stays.
  ended_at        timestamptz,
  created_by      integer NOT NULL REFERENCES app_user (id),
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT audience_is_named CHECK ((audience = 'code') = (code IS NOT NULL) AND (audience = 'organisation') = (organisation_id IS NOT NULL)
    AND (audience = 'user') = (user_id IS NOT NULL))
);
CREATE TRIGGER promotion_no_delete BEFORE DELETE ON promotion FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER promotion_no_truncate BEFORE TRUNCATE ON promotion FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Credit in a wallet that came from a promotion, and what has become of it up to `promotion_position`.
CREATE TABLE promotion_credit (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  promotion_id integer NOT NULL REFERENCES promotion (id),
  wallet_id    bigint NOT NULL REFERENCES ledger_account (id),
  -- Who redeemed it, or whom it was meant for; NULL: an organisation.
  user_id      integer REFERENCES app_user (id),
  -- The credit of which this is a part that went along with a wallet's money into another wallet.
  parent_id    bigint REFERENCES promotion_credit (id),
  -- The posting that gave it, or moved it, and the entry of this wallet from which on it counts.
  txn_id       bigint NOT NULL REFERENCES ledger_txn (id),
  from_seq     bigint NOT NULL,
  amount       bigint NOT NULL CHECK (amount > 0),
  expires_at   timestamptz,
  spent        bigint NOT NULL DEFAULT 0,
  -- Went to something else than usage, because the wallet had nothing else: a refunded payment, credit used before.
  withdrawn    bigint NOT NULL DEFAULT 0,
  moved        bigint NOT NULL DEFAULT 0,
  expired      bigint NOT NULL DEFAULT 0,
  remaining    bigint NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT whole_credit CHECK (least(spent, withdrawn, moved, expired, remaining) >= 0
    AND spent + withdrawn + moved + expired + remaining = amount)
);
CREATE INDEX promotion_credit_wallet ON promotion_credit (wallet_id);
CREATE INDEX promotion_credit_promotion ON promotion_credit (promotion_id) WHERE parent_id IS NULL;
CREATE INDEX promotion_credit_left ON promotion_credit (wallet_id, from_seq) WHERE remaining > 0;
CREATE INDEX promotion_credit_due ON promotion_credit (expires_at) WHERE remaining > 0;
CREATE TRIGGER promotion_credit_no_delete BEFORE DELETE ON promotion_credit FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER promotion_credit_no_truncate BEFORE TRUNCATE ON promotion_credit FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Up to which entry of a wallet's ledger its spending has been counted against its promotional credit.
CREATE TABLE promotion_position (
  wallet_id bigint PRIMARY KEY REFERENCES ledger_account (id),
  up_to     bigint NOT NULL,
  at        timestamptz NOT NULL
);

-- People whom a promotion for everybody who registers has been decided about.
CREATE TABLE promotion_person (
  promotion_id integer NOT NULL REFERENCES promotion (id),
  user_id      integer NOT NULL REFERENCES app_user (id),
  PRIMARY KEY (promotion_id, user_id)
);

-- Fields that a supplier has refused for a model, which are left out of requests until `expires_at`. `supplier` is the supplier's name
-- and `model` the name that it has for the model; `refused` counts how often it has said so.
CREATE TABLE learned_refusal (
  supplier text NOT NULL,
  model text NOT NULL,
  field text NOT NULL,
  words text NOT NULL,
  refused int NOT NULL DEFAULT 1,
  learned_at timestamptz(6) NOT NULL DEFAULT now(),
  expires_at timestamptz(6) NOT NULL,
  PRIMARY KEY (supplier, model, field)
);

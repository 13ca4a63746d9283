-- What every request to a supplier carries besides: headers, query parameters, and the header of its key; sealed JSON.
ALTER TABLE supplier ADD COLUMN sealed_extras text
  CONSTRAINT supplier_extras_are_sealed CHECK (sealed_extras LIKE 'gw1.%');

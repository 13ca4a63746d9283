-- The field of a chat request that states the most output, by supplier and by model. NULL: as the provider has it, and as the
-- supplier has it.
ALTER TABLE supplier ADD COLUMN output_field text;
ALTER TABLE model_route ADD COLUMN output_field text;

-- Counts how often a day has been added up: who remembers sums of complete days sees by it whether they still hold.
ALTER TABLE usage_days ADD COLUMN version integer NOT NULL DEFAULT 0;

-- Whose line a call in review was, noted when nobody knows how it ended: the claim and the line that say so are deleted before a person decides.
ALTER TABLE hold ADD COLUMN batch_id text;
CREATE INDEX "batch_line_call_id_idx" ON "batch_line"("call_id");

-- Whether a chat-style supplier takes the responses format, too.
ALTER TABLE supplier ADD COLUMN speaks_responses boolean NOT NULL DEFAULT false;

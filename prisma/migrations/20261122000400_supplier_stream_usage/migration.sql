-- Whether streams of this supplier are asked to report their usage (`stream_options`). Some refuse every request that asks.
ALTER TABLE supplier ADD COLUMN stream_usage boolean NOT NULL DEFAULT true;

-- Whether a supplier keeps nothing of what it is sent; null: nobody has said.
ALTER TABLE "supplier" ADD COLUMN "zero_data_retention" BOOLEAN;

-- How settled a model is: preview or deprecated; null: nobody has said anything. And when its suppliers stop serving it.
ALTER TABLE "model" ADD COLUMN "lifecycle" TEXT, ADD COLUMN "retires_at" TIMESTAMPTZ(6);

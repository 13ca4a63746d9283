/**
 * The statement that lets a client find the SQL functions and views of the version that has upgraded its database last, for scripts and tests
 * which speak to the database themselves.
 */
export const NEWEST_FUNCTIONS = `DO $$ BEGIN
  IF to_regclass('public.function_schema') IS NOT NULL THEN
    PERFORM set_config('search_path', (SELECT name FROM function_schema ORDER BY made_at DESC LIMIT 1) || ', public', false);
  END IF;
END $$`;

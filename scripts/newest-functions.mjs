/**
 * The statement that makes a client find the SQL functions and views of the newest version that has upgraded the
 * database, for scripts and tests with their own connection.
 */
export const NEWEST_FUNCTIONS = `DO $$ BEGIN
  IF to_regclass('public.function_schema') IS NOT NULL THEN
    PERFORM set_config('search_path', (SELECT name FROM function_schema ORDER BY made_at DESC LIMIT 1) || ', public', false);
  END IF;
END $$`;

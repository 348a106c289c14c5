/** Statements that sqld does not run, since they would change one of its connections or harm others. */
import { openingOf } from './statement-text.ts'

/** Pragmas that sqld answers, also with a value. */
const PRAGMAS = new Set(
  `table_list index_list table_info table_xinfo index_info index_xinfo pragma_list compile_options database_list
  function_list module_list encoding defer_foreign_keys foreign_keys foreign_key_list foreign_key_check collation_list
  data_version freelist_count integrity_check legacy_file_format page_count quick_check stats user_version`.split(
    /\s+/,
  ),
)

/** Those that it answers without one. */
const READ_PRAGMAS = new Set(
  `schema_version analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill
  cell_size_check checkpoint_fullfsync fullfsync hard_heap_limit journal_mode journal_size_limit legacy_alter_table
  locking_mode max_page_count mmap_size page_size query_only read_uncommitted recursive_triggers
  reverse_unordered_selects secure_delete soft_heap_limit synchronous temp_store threads trusted_schema
  wal_autocheckpoint`.split(/\s+/),
)

/** Returns false for a statement that sqld refuses whatever its tables are. */
export function isSupported(sql: string): boolean {
  const opening = openingOf(sql).replace(/^explain (?=pragma\b)/, '')
  const [, name = '', value = ''] = /^pragma (?:\w+\.)?(\w+)(.*)$/s.exec(opening) ?? []
  if (/^pragma\b/.test(opening)) return PRAGMAS.has(name) || (READ_PRAGMAS.has(name) && value === '')
  return !/^(analyze|attach|vacuum|create temp(orary)?)\b/.test(opening)
}

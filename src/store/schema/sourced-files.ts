import type { Dialect } from '../database/dialect.ts'

/**
 * The second schema: checksums of the files that the File resources of a catalog copy from a
 * source. Catalogs with the same checksums share a row. `catalogs.sourced_files_id` is NULL for a
 * catalog without checksums, such as a catalog that an older version of this program stored.
 */
export function createSourcedFilesSchema({ types: { id, json } }: Dialect): readonly string[] {
  return [
    `create table sourced_files (id ${id}, digest text not null unique, files ${json} not null)`,
    'alter table catalogs add column sourced_files_id bigint',
    'create index catalogs_by_sourced_files on catalogs (sourced_files_id)',
  ]
}

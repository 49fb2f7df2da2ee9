import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { IdSet } from './id-set.ts'
import { createTableStep, type RetentionStep, type SliceResult } from './step.ts'
import { removeRows } from './unreferenced-rows.ts'

/** Fraction of the row limit for lists of contents, because each list contains hundreds of ids. */
const listShare = 0.05

/**
 * The steps that remove unreferenced resource contents, then unreferenced tag sets and file names.
 * The lists that refer to contents are compressed and have no index, so all lists are read first
 * and the ids in them are marked. Rows that are written during this time have higher ids; the
 * transaction that removes rows first marks them, too.
 */
export function createResourceContentRemoval(): readonly RetentionStep[] {
  const inLists = new Marks('catalog_contents', listShare, async (inside, range) => {
    for (const { contents } of await inside.all<{ contents: Uint8Array }>(
      sql`select contents from catalog_contents where id > ${range.after} and id <= ${range.last}`,
    ))
      for (const id of JSON.parse(inflateRawSync(contents).toString()) as number[]) contentIds.add(id)
  })
  const [contentIds, tagIds, fileIds] = [new IdSet(), new IdSet(), new IdSet()]
  const inContents = new Marks('resource_contents', 1, async (inside, range) => {
    for (const { tags_id: tags, file_id: file } of await inside.all<{ tags_id: number; file_id: number }>(
      sql`select tags_id, file_id from resource_contents where id > ${range.after} and id <= ${range.last}`,
    )) {
      tagIds.add(tags)
      fileIds.add(file)
    }
  })
  return [
    inLists.step,
    createSweep(
      'resource_contents',
      contentIds,
      inLists,
      sql`exists
      (select 1 from catalog_resources where catalog_resources.content_id = resource_contents.id)`,
    ),
    inContents.step,
    createSweep('tag_sets', tagIds, inContents),
    createSweep('source_files', fileIds, inContents),
  ]
}

type Mark = (inside: Database, range: { readonly after: number; readonly last: number }) => Promise<void>

/** Marks all ids that the rows of a table refer to, up to the last row at the time of the call. */
class Marks {
  readonly step: RetentionStep
  constructor(table: string, share: number, mark: Mark) {
    this.step = createTableStep(
      table,
      async (inside, range) => {
        await mark(inside, range)
        return 0
      },
      share,
    )
  }

  /** Marks the references in rows that were written since the last call. */
  async catchUp(inside: Database, limit: number): Promise<void> {
    let slice: SliceResult
    do slice = await this.step(inside, limit)
    while (!slice.done)
  }
}

function createSweep(table: string, marked: IdSet, marks: Marks, isReferenced = sql<boolean>`1 = 0`): RetentionStep {
  const sweep = createTableStep(table, async (inside, { after, last }) => {
    const rows = await inside.all<{ id: number }>(
      sql`select id from ${sql.table(table)} where id > ${after} and id <= ${last} and not (${isReferenced})`,
    )
    const dead = rows.filter(({ id }) => !marked.has(id)).map(({ id }) => id)
    return removeRows(inside, table, dead)
  })
  return async (inside, limit) => {
    await marks.catchUp(inside, limit)
    return sweep(inside, limit)
  }
}

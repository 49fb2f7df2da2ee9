import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { IdSet } from './id-set.ts'
import { type Slice, type Step, throughTable } from './step.ts'
import { removeRows } from './unreferenced.ts'

/** Lists of contents are read fewer at a time than rows: each has hundreds of ids. */
const listShare = 0.05

/**
 * Removes the contents of catalogs, then sets of tags and names of files, that no list has. Lists are compressed, and so no
 * index leads from a content to its lists: all lists are gone through first, and marked what they have. What is written
 * meanwhile has higher ids, and is marked, inside of the same transaction, before anything is removed.
 */
export function removingResourceContents(): readonly Step[] {
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
    sweeping(
      'resource_contents',
      contentIds,
      inLists,
      sql`exists
      (select 1 from catalog_resources where catalog_resources.content_id = resource_contents.id)`,
    ),
    inContents.step,
    sweeping('tag_sets', tagIds, inContents),
    sweeping('source_files', fileIds, inContents),
  ]
}

type Mark = (inside: Database, range: { readonly after: number; readonly last: number }) => Promise<void>

/** Marks on all that a table's rows lead to, from the first row on, to the end as it is at a time. */
class Marks {
  readonly step: Step
  constructor(table: string, share: number, mark: Mark) {
    this.step = throughTable(
      table,
      async (inside, range) => {
        await mark(inside, range)
        return 0
      },
      share,
    )
  }

  /** Marks what was written since. */
  async catchUp(inside: Database, limit: number): Promise<void> {
    let slice: Slice
    do slice = await this.step(inside, limit)
    while (!slice.done)
  }
}

function sweeping(table: string, marked: IdSet, marks: Marks, isReferenced = sql<boolean>`1 = 0`): Step {
  const sweep = throughTable(table, async (inside, { after, last }) => {
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

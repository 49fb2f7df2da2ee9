import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { Store } from '../../src/store/thread/store.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { runOf } from './retention/fleet.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 22)

/** The threads that are started, the last one last. */
const threads: Worker[] = []
const started = (message: unknown) => void threads.push((message as { worker: Worker }).worker)
beforeEach(() => {
  threads.length = 0
  subscribe('worker_threads', started)
})
afterEach(() => void unsubscribe('worker_threads', started))

/** A request that it cannot understand is the end of a thread. */
function kill(): void {
  threads.at(-1)!.postMessage({ kind: 'collect', id: 1_000_000 })
}

describe('a writer thread', () => {
  test('that dies is followed by another one, which goes on where it was', async () => {
    const folder = scratchFolder('dies')
    const said: string[] = []
    const store = await Store.open({
      folder,
      stuck: (problem) => said.push(`stuck: ${problem}`),
      recovered: () => said.push('recovered'),
    })
    const deaths = 3
    for (let run = 0; run < deaths; run++) {
      const before = runOf(1, run * 2, now + run * 2)
      const during = runOf(1, run * 2 + 1, now + run * 2 + 1)
      for (const command of before) await store.submit(command)
      kill()
      const [last] = await Promise.all(during.map((command) => store.submitAndWait(command, minute)))
      expect(last!.processed).toEqual({ problem: undefined })
      expect(threads).toHaveLength(run + 2)
    }
    expect(said).toEqual(Array.from({ length: deaths }, () => [expect.stringMatching(/^stuck: /), 'recovered']).flat())
    const figures = () => store.upkeep.figures()
    await expect.poll(figures).toMatchObject({ queueDepth: 0, queueBytes: 0, discarded: 0, stuck: undefined })
    expect(await store.upkeep.clean({ parts: ['purge_nodes'] })).toBe('done')
    await store.close()
    const database = openSqlite(join(folder, 'store.db'))
    const counted = sql`select count(*) as reports, count(distinct producer_timestamp) as runs from reports`
    expect(await database.all(counted)).toEqual([{ reports: deaths * 2, runs: deaths * 2 }])
    await database.close()
  })

  test('that dies tells who waits for its work', async () => {
    const store = await Store.open({ folder: scratchFolder('dies-at-work') })
    kill()
    const collected = store.upkeep.clean({ parts: ['purge_nodes'] })
    await expect(collected).rejects.toMatchObject({ diagnostic: { code: 'STORE_UPKEEP_FAILED' } })
    await store.close()
  })

  test('leaves little on the disk once nothing waits', async () => {
    const folder = scratchFolder('rests')
    const store = await Store.open({ folder })
    const filler = 'x'.repeat(300_000)
    for (let run = 0; run < 20; run++) {
      const [facts] = runOf(1, run, now + run)
      const given = JSON.parse(Buffer.from(facts!.payload).toString())
      const payload = Buffer.from(JSON.stringify({ ...given, values: { ...given.values, filler: `${filler}${run}` } }))
      await store.submit({ ...facts!, payload })
    }
    const queued = () => sizeOf(join(folder, 'queue'))
    await expect.poll(() => store.upkeep.figures().queueDepth).toBe(0)
    await expect.poll(queued).toBeLessThan(100_000)
    const journal = () => statSync(join(folder, 'store.db-wal')).size
    expect(journal()).toBeGreaterThan(0)
    await expect.poll(journal).toBe(0)
    await store.close()
  })
})

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { StoreRecorder } from '../../src/store/recording/recorder.ts'
import { Store } from '../../src/store/thread/store.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { runOf } from './retention/fleet.ts'

const now = Date.UTC(2026, 10, 22)

test('a report to a shared database is acknowledged when the database contains it', async () => {
  const store = await Store.open({ folder: scratchFolder('recorder') })
  onTestFinished(() => store.close())
  const recorder = new StoreRecorder({ store, producer: 'server.test', shared: true, now: () => now, say: () => {} })
  for (let run = 1; run <= 10; run++) {
    const { certname, payload } = runOf(1, run, now + run)[2]!
    await recorder.recordReport(certname, payload)
    const found = await store.ask({
      method: 'GET',
      path: '/reports',
      search: 'query=["extract",[["function","count"]]]',
    })
    expect(JSON.parse(await text(found!.pieces))).toEqual([{ count: run }])
  }
})

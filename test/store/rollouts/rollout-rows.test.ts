import { describe, expect, test } from 'vitest'
import type { RowChange } from '../../../src/store/rollouts/rollout-rows.ts'
import { openStoredRollouts } from '../../../src/store/rollouts/stored-rollouts.ts'
import { databaseKinds, storeFor } from '../databases.ts'

describe.each(databaseKinds)('rows of rollouts, on $title', (kind) => {
  const store = storeFor(kind)
  const change = (given: RowChange) => openStoredRollouts(store.database).change(given)
  const read = (known = {}) => openStoredRollouts(store.database).read(known)
  const document = (name: string) => openStoredRollouts(store.database).readDocument(name)

  test.skipIf(kind.missing)('change by compare-and-set', async () => {
    const environment = 'production'
    expect(await change({ environment, version: 0, state: 'one' })).toBe(true)
    expect(await change({ environment, version: 0, state: 'other' })).toBe(false)
    expect(await change({ environment, version: 2, state: 'other' })).toBe(false)
    expect(await change({ environment, version: 1, state: 'two' })).toBe(true)
    expect(await change({ environment, version: 1, state: 'other' })).toBe(false)
    const { rows, now, lastReport } = await read()
    expect(rows).toEqual([{ environment, version: 2, state: 'two' }])
    expect((await read({ production: 2 })).rows).toEqual([{ environment, version: 2, state: undefined }])
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
    expect(lastReport).toBe(0)
  })

  test.skipIf(kind.missing)('of twenty servers that change a row at the same time, one succeeds', async () => {
    const environment = 'race'
    await change({ environment, version: 0, state: 'start' })
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => change({ environment, version: 1, state: `server ${at}` })),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    const winner = results.indexOf(true)
    expect((await read()).rows).toContainEqual({ environment, version: 2, state: `server ${winner}` })
  })

  test.skipIf(kind.missing)('are changed with their document, or not at all', async () => {
    const environment = 'documents'
    const name = (at: number) => `${environment}#${at}`
    expect(await change({ environment, version: 1, state: 'x', document: { name: name(0), content: 'lost' } })).toBe(
      false,
    )
    expect(await document(name(0))).toBeUndefined()
    for (let at = 0; at < 25; at++)
      expect(
        await change({ environment, version: at, state: 'x', document: { name: name(at), content: `content ${at}` } }),
      ).toBe(true)
    expect(await document(name(24))).toBe('content 24')
    const other = { environment: `${environment}x`, version: 0, state: 'x' }
    await change({ ...other, document: { name: `${environment}x#1`, content: 'of another' } })
    expect(await change({ environment, version: 25, state: undefined })).toBe(true)
    expect(await document(name(24))).toBeUndefined()
    expect(await document(`${environment}x#1`)).toBe('of another')
    expect((await read()).rows.map((row) => row.environment)).not.toContain(environment)
  })
})

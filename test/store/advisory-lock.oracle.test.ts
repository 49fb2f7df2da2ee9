import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAdvisoryLock } from '../../src/store/database/advisory-lock.ts'
import { without } from '../support/needs.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const lacks = without('PostgreSQL')

describe.skipIf(lacks !== '')(`a lock in PostgreSQL${lacks}`, () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let url: string
  beforeAll(async () => {
    postgres = await startPostgres(scratchFolder('lock-postgres'))
    url = postgres.url('postgres')
  })
  afterAll(() => postgres?.stop())
  const holders = () =>
    Number(postgres.psql('postgres', "select count(*) from pg_locks where locktype = 'advisory' and granted"))
  const waiters = () =>
    Number(postgres.psql('postgres', "select count(*) from pg_locks where locktype = 'advisory' and not granted"))

  it('is held by one at a time, and by others of other names', async () => {
    const order: string[] = []
    const work = (name: string, which: string) =>
      withAdvisoryLock({ url, name }, async () => {
        order.push(`${which} begins`)
        if (order.length === 1) await expect.poll(waiters).toBe(1)
        order.push(`${which} ends`)
        return which
      })
    expect(await Promise.all([work('a', 'first'), work('a', 'first')])).toEqual(['first', 'first'])
    expect(order).toEqual(['first begins', 'first ends', 'first begins', 'first ends'])
    await withAdvisoryLock({ url, name: 'a' }, () => work('b', 'within'))
    expect(holders()).toBe(0)
  })

  it('is free when its work fails, with its error', async () => {
    await expect(withAdvisoryLock({ url, name: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(holders()).toBe(0)
  })

  it('is free when its holder is cut off', async () => {
    let cut = () => {}
    const held = withAdvisoryLock({ url, name: 'a' }, () => new Promise<void>((done) => (cut = done)))
    await expect.poll(holders).toBe(1)
    postgres.psql('postgres', "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    expect(await withAdvisoryLock({ url, name: 'a' }, async () => 'mine')).toBe('mine')
    cut()
    await held
  })

  it('is waited for no longer than somebody wants it', async () => {
    let end = () => {}
    const held = withAdvisoryLock({ url, name: 'a' }, () => new Promise<void>((done) => (end = done)))
    await expect.poll(holders).toBe(1)
    const over = new AbortController()
    const waits = withAdvisoryLock({ url, name: 'a', signal: over.signal }, async () => 'never')
    await expect.poll(waiters).toBe(1)
    over.abort(new Error('the server ends'))
    await expect(waits).rejects.toThrow('the server ends')
    await expect.poll(waiters).toBe(0)
    end()
    await held
  })

  it('is not asked for by who wants it no more', async () => {
    const signal = AbortSignal.abort(new Error('the server ends'))
    const held = withAdvisoryLock({ url: 'postgresql://127.0.0.1:1/x', name: 'a', signal }, async () => 'never')
    await expect(held).rejects.toThrow('the server ends')
  })

  it('is an error where the database is away', async () => {
    await expect(withAdvisoryLock({ url: 'postgresql://127.0.0.1:1/x', name: 'a' }, async () => 1)).rejects.toThrow(
      /ECONNREFUSED/,
    )
  })
})

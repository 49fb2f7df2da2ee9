import { getEventListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { CompileError } from '../../../src/compiler/workers/compile-error.ts'
import type { CompileJob } from '../../../src/compiler/workers/compile-job.ts'
import { CompilePool } from '../../../src/compiler/workers/compile-pool.ts'
import type { PoolOptions } from '../../../src/compiler/workers/pool-options.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { plainRequest } from '../../support/plain-request.js'

const scriptOf = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url))
const pools: CompilePool[] = []

function poolOf(options: Partial<PoolOptions> = {}): CompilePool {
  const pool = new CompilePool({ size: 1, timeout: 120, maxQueued: 0, script: scriptOf('scripted-worker'), ...options })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

/** The first word of a node's name is what the worker does. */
function job(deed: string, environmentName = 'production', codeId = 'abc'): CompileJob {
  const environment = { name: environmentName, trees: [], modulepath: [], manifest: undefined, version: 1 }
  const request = plainRequest(
    { ...environment, globalHiera: undefined },
    { node: createPlainNode(deed, environmentName) },
  )
  return { ...request, codeId, format: 'rich' }
}

describe('a pool of compilers', () => {
  it('hands each job to a thread and keeps the thread', async () => {
    const pool = poolOf()
    const first = await pool.compile(job('answer'))
    const second = await pool.compile(job('answer'))
    expect(first.codeId).toBe('abc')
    expect(Buffer.from(second.body)).toEqual(Buffer.from(first.body))
    expect(pool.status()).toMatchObject({ size: 1, free: 1, queued: 0, compiled: 2, failed: 0 })
  })

  it.each([false, true])('lets go of the signal of a job that is done; in the background: %s', async (background) => {
    const pool = poolOf({ background: 1 })
    const { signal } = new AbortController()
    await pool.compile(job('answer'), { signal, background })
    await pool.compile(job('fail'), { signal, background }).catch(() => undefined)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('ends what it does in the background for nobody any more, and goes on', async () => {
    const pool = poolOf({ background: 1 })
    const gone = new AbortController()
    const made = pool.compile(job('loop'), { signal: gone.signal, background: true, endsWork: true })
    await expect.poll(() => pool.status().background).toBe(1)
    gone.abort()
    await expect(made).rejects.toThrow()
    expect(await pool.compile(job('answer'), { background: true })).toMatchObject({ codeId: 'abc' })
  })

  it('uses as many threads as it has', async () => {
    const pool = poolOf({ size: 2 })
    const bodies = await Promise.all([pool.compile(job('slowly.1')), pool.compile(job('slowly.2'))])
    expect(new Set(bodies.map(({ body }) => Buffer.from(body).toString())).size).toBe(2)
  })

  it('tells an error of the code from a bug of ours', async () => {
    const pool = poolOf()
    const error = await pool.compile(job('fail')).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CompileError)
    expect((error as CompileError).message).toBe('Evaluation Error: no')
    expect((error as CompileError).diagnostic.hint).toBe('Try again.')
    expect((error as CompileError).logs.map(({ message }) => message)).toEqual(['before'])
    const bug = await pool.compile(job('bug')).catch((error: unknown) => error)
    expect(bug).toBeInstanceOf(Error)
    expect(bug).not.toBeInstanceOf(CompileError)
  })

  it.each([
    ['throw', 'died: out of order'],
    ['exit', 'died: exit code 7'],
    ['hoard', 'died: Worker terminated due to reaching memory limit'],
  ])('fails only the job whose thread crashes (%s)', async (deed, message) => {
    const pool = poolOf({ heapMb: 64 })
    const [crashed, waiting] = await Promise.allSettled([pool.compile(job(deed)), pool.compile(job('answer'))])
    expect(String((crashed as PromiseRejectedResult).reason)).toContain(message)
    expect(waiting.status).toBe('fulfilled')
  })

  it('stops a job that does not end, and goes on with a new thread', async () => {
    const pool = poolOf({ timeout: 5 })
    const [stuck, waiting] = await Promise.allSettled([pool.compile(job('loop')), pool.compile(job('answer'))])
    expect(String((stuck as PromiseRejectedResult).reason)).toContain(
      'Compiling the catalog of loop in environment production took longer than 5 seconds',
    )
    expect(waiting.status).toBe('fulfilled')
  })

  it('gives a job its time from when its thread has started', async () => {
    const pool = poolOf({ timeout: 5, script: scriptOf('late-worker') })
    expect((await pool.compile(job('answer'))).codeId).toBe('abc')
  })

  it('refuses what would wait too long in line', async () => {
    const pool = poolOf({ maxQueued: 1 })
    const jobs = ['slowly.1', 'slowly.2', 'slowly.3'].map((deed) => pool.compile(job(deed)))
    const settled = await Promise.allSettled(jobs)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(String((settled[2] as PromiseRejectedResult).reason)).toContain('max-queued-requests')
    expect(pool.status().refused).toBe(1)
  })

  it('fails what is unfinished when it closes, and takes no more', async () => {
    const pool = poolOf()
    const running = pool.compile(job('loop')).catch(String)
    const waiting = pool.compile(job('answer')).catch(String)
    await pool.close()
    expect(await running).toContain('The server is stopping')
    expect(await waiting).toContain('The server is stopping')
    await expect(pool.compile(job('answer'))).rejects.toThrow('The server is stopping')
  })
})

describe('jobs for which nobody waits', () => {
  const background = { background: true }

  it('never have the place of a request, not even where there is one thread', async () => {
    const pool = poolOf({ size: 1, background: 1 })
    const endless = pool.compile(job('loop'), background).catch(String)
    await expect.poll(() => pool.status().background).toBe(1)
    for (let times = 0; times < 3; times++) await pool.compile(job('answer'))
    // Not even of the same node.
    const same = pool.compile(job('loop')).catch(String)
    expect(pool.status()).toMatchObject({ free: 0, queued: 0, background: 1, compiled: 3 })
    await pool.close()
    for (const ended of [endless, same]) expect(await ended).toContain('The server is stopping')
  })

  it('begin when no request waits, as many at once as they have threads', async () => {
    const pool = poolOf({ size: 1, background: 2 })
    const ended: string[] = []
    const begin = (deed: string, asking = {}) => pool.compile(job(deed), asking).then(() => ended.push(deed))
    const all = [begin('slowly.1'), begin('slowly.2'), begin('answer.1', background), begin('answer.2', background)]
    expect(pool.status()).toMatchObject({ queued: 1, background: 0 })
    await Promise.all(all)
    expect(ended[0]).toBe('slowly.1')
    expect(pool.status()).toMatchObject({ compiled: 2, failed: 0, background: 0 })
  })

  it('fail alone, and are given up before their turn when they are wanted no more', async () => {
    const pool = poolOf({ background: 1 })
    const ending = new AbortController()
    const crash = pool.compile(job('exit'), background).catch(String)
    const waits = pool.compile(job('answer'), { ...background, signal: ending.signal }).catch(String)
    ending.abort()
    expect(await crash).toContain('died: exit code 7')
    expect(await waits).toContain('has disconnected')
    await expect(pool.compile(job('fail'), background)).rejects.toBeInstanceOf(CompileError)
    expect((await pool.compile(job('answer'), background)).codeId).toBe('abc')
  })
})

describe('a pool where catalogs may take long', () => {
  // A thread that is quick may wait some hundred milliseconds for a processor.
  const slow = { afterMs: 1000, threads: 2 }
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}.${index}`)
  /** In which order jobs come to an end. */
  async function order(pool: CompilePool, jobs: readonly CompileJob[], ended: string[] = []): Promise<string[]> {
    const note = ({ node, environment }: CompileJob) => ended.push(`${environment.name}/${node.name}`)
    await Promise.all(
      jobs.map((each) =>
        pool.compile(each).then(
          () => note(each),
          () => note(each),
        ),
      ),
    )
    return ended
  }

  it('goes on with others while one does not end', async () => {
    const pool = poolOf({ timeout: 15, slow })
    const stuck = pool.compile(job('loop')).catch(String)
    await Promise.all(names('answer', 5).map((name) => pool.compile(job(name))))
    expect(pool.status()).toMatchObject({ size: 1, slow: 1, compiled: 5, failed: 0 })
    expect(await stuck).toContain('took longer than 15 seconds')
  })

  it('leaves one alone that takes long while nobody waits, and ends none that has room', async () => {
    const pool = poolOf({ slow })
    const long = await pool.compile(job('long'))
    expect(await Promise.all([pool.compile(job('long.2')), pool.compile(job('answer'))])).toHaveLength(2)
    expect(Buffer.from((await pool.compile(job('answer'))).body)).not.toEqual(Buffer.from(long.body))
    expect(pool.status()).toMatchObject({ compiled: 4, failed: 0 })
  })

  it('puts where slow ones wait what took long last time, until its code changes if it came to no end', async () => {
    const pool = poolOf({ timeout: 6, slow })
    await pool.compile(job('answer'))
    await pool.compile(job('long'))
    await pool.compile(job('long'))
    await pool.compile(job('loop')).catch(() => {})
    const [again, ended] = [pool.compile(job('long')), pool.compile(job('loop')).catch(() => {})]
    expect(pool.status()).toMatchObject({ free: 1 })
    await Promise.all([again, ended])
    const mended = pool.compile(job('loop', 'production', 'def')).catch(() => {})
    expect(pool.status()).toMatchObject({ free: 0, slow: 0 })
    await pool.close()
    await mended
  })

  it('does not take for slow what a thread compiled first of an environment', async () => {
    const pool = poolOf({ timeout: 60, slow })
    await pool.compile(job('long'))
    const again = pool.compile(job('long'))
    expect(pool.status()).toMatchObject({ free: 0, slow: 0 })
    await again
    await pool.compile(job('long'))
    const fourth = pool.compile(job('long'))
    expect(pool.status()).toMatchObject({ free: 1, slow: 1 })
    await fourth
    await pool.close()
  })

  it('gives a slow one a thread that knows its code, while another quick one stays free', async () => {
    const pool = poolOf({ timeout: 60, slow, size: 2 })
    await pool.compile(job('answer'))
    await pool.compile(job('long'))
    await pool.compile(job('long'))
    const again = pool.compile(job('long'))
    expect(pool.status()).toMatchObject({ free: 1, slow: 0 })
    const beside = pool.compile(job('answer'))
    expect(pool.status()).toMatchObject({ free: 0, slow: 0 })
    await Promise.all([again, beside])
    const [first, second] = [pool.compile(job('slowly')), pool.compile(job('long'))]
    expect(pool.status()).toMatchObject({ free: 1, slow: 1 })
    await Promise.all([first, second])
    await pool.close()
  })

  it.each([
    ['an environment whose every catalog loops', names('loop', 12).map((name) => job(name, 'hostile'))],
    ['one that asks for many', names('slowly', 60).map((name) => job(name, 'hostile'))],
  ])('gives other environments their time beside %s', async (_what, hostile) => {
    const pool = poolOf({ timeout: 60, slow })
    const ended: string[] = []
    const all = order(pool, hostile, ended)
    await Promise.all(names('answer', 20).map((name) => pool.compile(job(name, 'honest'))))
    expect(ended.length).toBeLessThan(hostile.length / 2)
    await pool.close()
    await all
  })

  it('leaves a place among slow ones to other environments', async () => {
    const pool = poolOf({ timeout: 60, slow })
    const loops = names('loop', 4).map((name) => pool.compile(job(name, 'hostile')).catch(() => {}))
    await pool.compile(job('answer', 'honest'))
    expect((await pool.compile(job('long', 'honest'))).codeId).toBe('abc')
    expect((await pool.compile(job('long', 'honest'))).codeId).toBe('abc')
    await pool.close()
    await Promise.all(loops)
  })

  it('has never more threads than it may', async () => {
    const pool = poolOf({ timeout: 60, slow })
    const loops = names('loop', 9).map((name, at) => pool.compile(job(name, `e${at}`)).catch(() => {}))
    await pool.compile(job('answer', 'honest'))
    const { slow: running, 'slow-queued': waiting } = pool.status()
    expect(running).toBe(2)
    expect(waiting).toBeGreaterThan(0)
    await pool.close()
    await Promise.all(loops)
  })
})

describe('what waits in a pool', () => {
  it('is one catalog of a node at a time, and a few behind it', async () => {
    const pool = poolOf({ size: 2 })
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => pool.compile(job('slowly'))))
    const kinds = settled.map(({ status }) => status)
    expect(kinds.filter((kind) => kind === 'fulfilled')).toHaveLength(1 + budgets.node.waitingCatalogs.bound)
    const refused = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(String(refused.reason)).toContain('of slowly waiting for a catalog has exceeded the limit of 4')
    const bodies = settled.flatMap((each) => (each.status === 'fulfilled' ? String(each.value.body) : []))
    expect(new Set(bodies).size).toBe(1)
  })

  it('is bounded by the memory that it holds', async () => {
    const pool = poolOf()
    const half = { bytes: budgets.environment.waitingFacts.bound / 2 + 1 }
    const [running, waiting, refused] = await Promise.allSettled(
      ['slowly.1', 'slowly.2', 'slowly.3'].map((deed) => pool.compile(job(deed), half)),
    )
    expect([running?.status, waiting?.status, refused?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect((await pool.compile(job('answer'), half)).codeId).toBe('abc')
  })

  it('is dropped when who asked for it is gone', async () => {
    const pool = poolOf()
    const running = pool.compile(job('slowly'))
    const controller = new AbortController()
    const waiting = pool.compile(job('answer'), { signal: controller.signal }).catch(String)
    expect(pool.status().queued).toBe(1)
    controller.abort()
    expect(pool.status().queued).toBe(0)
    expect(await waiting).toContain('The client of the catalog request for answer has disconnected')
    await running
    expect(pool.status()).toMatchObject({ compiled: 1, free: 1 })
  })
})

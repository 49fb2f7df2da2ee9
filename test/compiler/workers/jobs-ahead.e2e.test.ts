import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openCommit } from '../../../src/code/environments/environment-opener.ts'
import type { EnvironmentSnapshot } from '../../../src/code/environments/environment-snapshot.ts'
import type { CompileJob, JobPurpose } from '../../../src/compiler/workers/compile-job.ts'
import { CompilePool } from '../../../src/compiler/workers/compile-pool.ts'
import type { PoolOptions, ThreadState } from '../../../src/compiler/workers/pool-options.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { plainRequest } from '../../support/plain-request.js'
import { scratchFolder } from '../../support/scratch-folder.ts'

const ahead: JobPurpose = { kind: 'trace' }
const background = { background: true }
const pools: CompilePool[] = []

function openPool(options: Partial<PoolOptions> = {}): CompilePool {
  const pool = new CompilePool({ size: 1, timeout: 120, maxQueued: 0, background: 1, ...options })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

/** The work of the background thread. */
const backgroundWork = (pool: CompilePool) => workIn(pool, 'background')
const workIn = (pool: CompilePool, lane: ThreadState['lane']) =>
  pool.threads().find((thread) => thread.lane === lane)?.work

describe('jobs ahead of requests', () => {
  const script = fileURLToPath(new URL('./scripted-worker.js', import.meta.url))

  /** The first word of a node's name is what the worker does. */
  function job(node: string, { codeId = 'abc', purpose = { kind: 'serve' } as JobPurpose } = {}): CompileJob {
    const environment = { name: 'production', trees: [], modulepath: [], manifest: undefined, version: 1 }
    const request = plainRequest({ ...environment, globalHiera: undefined }, { node: createPlainNode(node, 'any') })
    return { ...request, codeId, format: 'rich', purpose }
  }

  it('begin when a thread for requests is idle', async () => {
    const pool = openPool({ script })
    const ended: string[] = []
    const all = [
      pool.compile(job('long')).then(() => ended.push('request')),
      pool.compile(job('answer', { purpose: ahead }), background).then(() => ended.push('ahead')),
    ]
    expect(pool.status()).toMatchObject({ free: 0, queued: 0, background: 0 })
    await Promise.all(all)
    expect(ended).toEqual(['request', 'ahead'])
  })

  it('run beside requests that leave a thread idle', async () => {
    const pool = openPool({ script, size: 2 })
    const endless = pool.compile(job('sleep')).catch(String)
    await pool.compile(job('answer', { purpose: ahead }), background)
    expect(pool.status()).toMatchObject({ free: 1, background: 0 })
    await pool.close()
    expect(await endless).toContain('The server is stopping')
  })

  describe('for the node of a request', () => {
    /** A pool that has compiled the catalog of the node, for requests and ahead. */
    async function warmPool(): Promise<CompilePool> {
      const pool = openPool({ script, size: 2 })
      // The first catalog of a thread is not counted: it includes the time for loading the code.
      for (let times = 0; times < 3; times++) await pool.compile(job('ahead'))
      await pool.compile(job('ahead', { purpose: ahead }), background)
      return pool
    }
    /** Starts a job ahead, and returns after it has run for this time. */
    async function begin(pool: CompilePool, codeId: string, ms: number): Promise<{ made: Promise<unknown> }> {
      const made = pool.compile(job('ahead', { codeId, purpose: ahead }), background).catch(String)
      await expect.poll(() => backgroundWork(pool)?.ms ?? 0, { interval: 10 }).toBeGreaterThan(ms)
      return { made }
    }

    it('are waited for when the greater part is done', async () => {
      const pool = await warmPool()
      const ended: string[] = []
      const { made } = await begin(pool, 'def', 600)
      const request = pool.compile(job('ahead', { codeId: 'def' })).then(() => ended.push('request'))
      expect(pool.status()).toMatchObject({ free: 2, queued: 1, background: 1 })
      await made.then(() => ended.push('ahead'))
      expect(pool.status()).toMatchObject({ free: 1, queued: 0, background: 0 })
      await request
      expect(ended).toEqual(['ahead', 'request'])
    })

    it.each([
      ['that have just begun', 'ahead', 'def', 0],
      ['of another commit', 'ahead', 'abc', 600],
      ['of another node', 'ahead.2', 'def', 600],
    ])('are not waited for: %s', async (_, node, codeId, ms) => {
      const pool = await warmPool()
      await begin(pool, 'def', ms)
      const request = pool.compile(job(node, { codeId }))
      expect(pool.status()).toMatchObject({ free: 1, queued: 0 })
      await request
    })

    it('are given up when they are late', async () => {
      const pool = await warmPool()
      const { made } = await begin(pool, 'stuck', 600)
      const request = pool.compile(job('ahead', { codeId: 'stuck' }))
      expect(pool.status()).toMatchObject({ free: 2, queued: 1 })
      await request
      expect(pool.status()).toMatchObject({ free: 2, queued: 0, background: 1 })
      await pool.close()
      expect(await made).toContain('The server is stopping')
    })
  })
})

describe('jobs ahead of requests, in threads that compile', () => {
  const site = `
    function busy(Integer $times) {
      $times.reduce(0) |$sum, $n| { $sum + $facts['processors']['count'] + lookup('one') }
    }
    node 'ruby.test' { notify { String(demo::busy($facts['steps'])): } }
    node default { notify { String(busy($facts['steps'])): } }
  `
  const rubyFunction = `
    Puppet::Functions.create_function(:'demo::busy') do
      def busy(steps) = steps.times.count { File.exist?(__FILE__) }
    end
  `
  let snapshot: EnvironmentSnapshot
  let codeId: string
  beforeAll(async () => {
    const repository = controlRepository({
      'manifests/site.pp': site,
      'modules/demo/lib/puppet/functions/demo/busy.rb': rubyFunction,
      'hiera.yaml': 'version: 5\nhierarchy: [{ name: all, path: common.yaml }]\n',
      'data/common.yaml': 'one: 1\n',
    })
    const opened = await openCommit({ repository: repository.bare, ref: 'production' }, loadSettings({ given: {} }))
    snapshot = opened.snapshot
    codeId = opened.environment.tree.codeId!
  })

  const openRealPool = (options: Partial<PoolOptions> = {}) =>
    openPool({
      recall: { folder: scratchFolder('ahead-traces'), checkEvery: 0, key: new Uint8Array(32), version: 'test' },
      ...options,
    })
  /** A job whose catalog takes as many steps. */
  const job = (node: string, steps: number, purpose: JobPurpose = { kind: 'serve' }): CompileJob => ({
    ...plainRequest(snapshot, { node: createPlainNode(node, 'production') }),
    ...{ facts: { steps, processors: { count: 2 } }, codeId, format: 'rich', purpose },
  })
  /** Starts a job ahead, and returns after its thread has begun to compile it. */
  async function begin(pool: CompilePool, node: string, steps: number): Promise<{ made: Promise<string> }> {
    const made = pool.compile(job(node, steps, ahead), background).then(({ origin }) => origin, String)
    await expect.poll(() => backgroundWork(pool)?.ms ?? 0, { interval: 10 }).toBeGreaterThan(0)
    return { made }
  }
  const endless = 1_000_000_000

  it('pause while a request needs the processor, and continue afterwards', async () => {
    const pool = openRealPool()
    const ended: string[] = []
    const { made } = await begin(pool, 'a.test', 40_000)
    const request = pool.compile(job('b.test', 200_000)).then(() => ended.push('request'))
    const paused = backgroundWork(pool)!.ms
    await request
    expect(ended).toEqual(['request'])
    expect(pool.status().background).toBe(1)
    expect(backgroundWork(pool)!.ms).toBeLessThan(paused + 100)
    expect(await made).toBe('compiled')
    expect((await pool.compile(job('a.test', 40_000))).origin).toBe('recalled')
  })

  it('do not count a pause towards the time limits of a catalog and of Ruby', async () => {
    // The pause is longer than both limits; the work, a fifth of a second on an idle processor, is far shorter.
    const pool = openRealPool({ timeout: 20, rubyTimeout: 18, slow: { afterMs: 1e9, threads: 0 } })
    const { made } = await begin(pool, 'ruby.test', 1500)
    await expect.poll(() => backgroundWork(pool)?.ruby, { interval: 5 }).toBeDefined()
    expect(await pool.compile(job('b.test', endless)).catch(String)).toContain('took longer than 20 seconds')
    expect(await made).toBe('compiled')
  })

  it('continue when the gate needs their thread', async () => {
    const pool = openRealPool()
    const { made } = await begin(pool, 'a.test', 10_000)
    const request = pool.compile(job('b.test', endless)).catch(String)
    const tried = await pool.compile(job('c.test', 10, { kind: 'try', isServed: true }), background)
    expect([await made, tried.origin, pool.status().free]).toEqual(['compiled', 'compiled', 0])
    await pool.close()
    expect(await request).toContain('The server is stopping')
  })

  it('end with the pool, paused and waiting ones', async () => {
    const pool = openRealPool()
    const { made } = await begin(pool, 'a.test', endless)
    const waiting = pool.compile(job('c.test', 10, ahead), background).catch(String)
    const request = pool.compile(job('b.test', endless)).catch(String)
    await expect.poll(() => workIn(pool, 'quick')?.ms ?? 0).toBeGreaterThan(0)
    await pool.close()
    for (const each of [made, waiting, request]) expect(await each).toContain('The server is stopping')
  })
})

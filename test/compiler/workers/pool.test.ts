import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { CompileJob } from '../../../src/compiler/workers/job.ts'
import { CompileError, CompilePool, type PoolOptions } from '../../../src/compiler/workers/pool.ts'
import { plainNode } from '../../../src/model/node.ts'
import { plainRequest } from '../../support/plain-request.js'

const scriptOf = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url))
const pools: CompilePool[] = []

function poolOf(options: Partial<PoolOptions> = {}): CompilePool {
  const pool = new CompilePool({ size: 1, timeout: 30, maxQueued: 0, script: scriptOf('scripted-worker'), ...options })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function job(deed: string): CompileJob {
  const environment = { name: 'production', trees: [], modulepath: [], manifest: undefined, version: 1 }
  const request = plainRequest({ ...environment, globalHiera: undefined }, { node: plainNode(deed, 'production') })
  return { ...request, format: 'rich' }
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

  it('uses as many threads as it has', async () => {
    const pool = poolOf({ size: 2 })
    const bodies = await Promise.all([pool.compile(job('slowly')), pool.compile(job('slowly'))])
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
    const pool = poolOf({ timeout: 1 })
    const [stuck, waiting] = await Promise.allSettled([pool.compile(job('loop')), pool.compile(job('answer'))])
    expect(String((stuck as PromiseRejectedResult).reason)).toContain(
      'Compiling the catalog of loop in environment production took longer than 1 seconds',
    )
    expect(waiting.status).toBe('fulfilled')
  })

  it('gives a job its time from when its thread has started', async () => {
    const pool = poolOf({ timeout: 1, script: scriptOf('late-worker') })
    expect((await pool.compile(job('answer'))).codeId).toBe('abc')
  })

  it('refuses what would wait too long in line', async () => {
    const pool = poolOf({ maxQueued: 1 })
    const jobs = ['slowly', 'slowly', 'slowly'].map((deed) => pool.compile(job(deed)))
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

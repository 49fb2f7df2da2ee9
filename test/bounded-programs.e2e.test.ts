import { execFileSync, spawnSync } from 'node:child_process'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { addBound } from './support/bounded-programs.ts'

describe('a program that a suite waits for', () => {
  // The grandchild keeps the pipe of standard output open.
  const endless = ['-c', 'sleep 10 & wait']

  it('is killed after a time', () => {
    const bounded = [spawnSync, execFileSync].map((start) => addBound(start as never, 200))
    expect(bounded[0]!('sh', endless)).toMatchObject({ error: { code: 'ETIMEDOUT' }, signal: 'SIGKILL' })
    expect(() => bounded[1]!('sh', endless, { stdio: 'pipe' })).toThrow('ETIMEDOUT')
  })

  it('has the time that the suite sets', () => {
    expect(spawnSync('sh', endless, { timeout: 100 })).toMatchObject({ error: { code: 'ETIMEDOUT' } })
    expect(execaSync('sh', endless, { timeout: 100, reject: false }).timedOut).toBe(true)
  })

  it('gets its words and options', () => {
    expect(execFileSync('sh', ['-c', 'cat'], { input: 'text', encoding: 'utf8' })).toBe('text')
    expect(spawnSync('pwd', { cwd: '/', encoding: 'utf8' }).stdout).toBe('/\n')
    expect(execFileSync('true').toString()).toBe('')
  })
})

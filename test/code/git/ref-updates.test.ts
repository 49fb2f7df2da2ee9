import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { RefUpdates } from '../../../src/code/git/ref-updates.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'

let code: ControlRepository
let commit: string
const git = (...words: string[]) => execFileSync('git', ['-C', code.bare, ...words], { encoding: 'utf8' }).trim()
const refs = () => git('for-each-ref', '--format=%(refname)', 'refs/plumb').split('\n').filter(Boolean)
const updates = (options: readonly string[] = []) => new RefUpdates({ gitDir: code.bare, quarantine: false }, options)
const named = (number: number) => `refs/plumb/served/${number}`

beforeEach(() => {
  code = controlRepository({ 'manifests/site.pp': '' })
  commit = git('rev-parse', 'production')
})

describe('updates of refs', () => {
  it('set and delete refs', async () => {
    const written = updates()
    await Promise.all([1, 2, 3].map((number) => written.set(named(number), commit)))
    expect(refs()).toEqual([named(1), named(2), named(3)])
    await Promise.all([written.delete(named(2)), written.delete(named(9))])
    expect(refs()).toEqual([named(1), named(3)])
  })

  it('are repeated alone if one fails', async () => {
    const written = updates()
    const results = await Promise.allSettled([
      written.set(named(1), commit),
      written.set(named(2), '1'.repeat(40)),
      written.set(`${named(1)}/below`, commit),
      written.set(named(3), commit),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(refs()).toEqual([named(1), named(3)])
  })

  it('set the same ref in order', async () => {
    code.push({ 'manifests/site.pp': '# next\n' })
    const next = git('rev-parse', 'production')
    const written = updates()
    await Promise.all([written.set(named(1), commit), written.set(named(1), next)])
    expect(git('rev-parse', named(1))).toBe(next)
  })

  it('write a log of a ref if they are told to', async () => {
    await updates(['--create-reflog']).set(named(1), commit)
    await updates().set(named(2), commit)
    expect([1, 2].map((number) => existsSync(join(code.bare, 'logs', named(number))))).toEqual([true, false])
  })
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasPuppet, noModules, withoutPuppet } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('cli-apply')

const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
const plumb = (...words: string[]) => runHere([...words, ...own])

describe('plumb resource', () => {
  it.skipIf(!hasPuppet)(`shows users as real Puppet does, in both forms${withoutPuppet}`, async () => {
    const places = ['--confdir', folder, '--vardir', folder, ...noModules]
    for (const form of [[], ['--to_yaml']]) {
      const real = spawnSync('puppet', ['resource', 'user', ...form, '--color=false', ...places])
      expect((await plumb('resource', 'user', ...form)).out).toBe(String(real.stdout))
    }
  })

  it.skipIf(!hasPuppet)('lists services as real Puppet does', async () => {
    const { status, out } = await plumb('resource', 'service')
    const places = ['--confdir', folder, '--vardir', folder, ...noModules]
    const real = spawnSync('puppet', ['resource', 'service', '--color=false', ...places])
    const services = (text: string) => text.match(/^service \{ [^}]*\}/gm)
    expect([status, services(out)]).toEqual([0, services(String(real.stdout))])
  })
})

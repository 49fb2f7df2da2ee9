import { userInfo } from 'node:os'
import { execaSync } from 'execa'
import { expect, inject, it } from 'vitest'
import { loadSettings } from '../src/machine/settings/settings.ts'
import setUp from './support/machine.ts'
import { without } from './support/needs.ts'

const home = process.env['HOME']!

it('gives tests a home of their own, and no variables of the user', () => {
  expect(home).not.toBe(userInfo().homedir)
  expect(Object.keys(process.env).filter((name) => /^(FACTER|PUPPET|XDG|EYAML)_/i.test(name))).toEqual([])
})

it('leaves the switch of traces to who runs them, and nothing else of ours', () => {
  const before = { ...process.env }
  try {
    Object.assign(process.env, { CI: 'true', PLUMB_TRACES: 'off', PLUMB_LOGDEST: '/somewhere' })
    setUp({ provide: () => {}, name: 'in-process' })()
    expect(process.env['PLUMB_TRACES']).toBe('off')
    expect(process.env['PLUMB_LOGDEST']).toBeUndefined()
  } finally {
    Object.assign(process.env, before)
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name]
  }
})

it('has no settings of the user, nor of this machine', () => {
  const { confdir, vardir, ssldir } = loadSettings()
  for (const place of [confdir, vardir, ssldir]) expect(place.startsWith(`${home}/`), place).toBe(true)
  expect(execaSync('git', ['config', '--list'], { cwd: home }).stdout).toBe('')
})

it('says why a suite is left out, and only where something lacks', () => {
  expect(without()).toBe('')
  const missing = inject('missing')
  const text = without('Facter', 'hiera-eyaml')
  expect(text === '').toBe(!missing.includes('Facter') && !missing.includes('hiera-eyaml'))
  if (missing.includes('hiera-eyaml')) expect(text).toContain('no hiera-eyaml; see CONTRIBUTING.md')
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { CloudLookups } from '../../../support/cloud-lookups.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('ssm')
let cloud: Cloud
let lookups: CloudLookups

const environment = { ...process.env }
beforeAll(async () => {
  cloud = await openCloud(folder)
  lookups = new CloudLookups(folder, cloud, ['--external_lookups', 'aws'])
})
beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIAKEY', AWS_SECRET_ACCESS_KEY: 'very-secret' })
})
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
})
afterAll(() => cloud?.stop())

interface Case {
  readonly key: string
  readonly uri?: string
  readonly options?: Record<string, unknown>
  readonly more?: readonly string[]
}

const toLevel = ({ uri = '/app/', options = {} }: Case) => ({
  ...{ lookup_key: 'hiera_ssm_paramstore', uri, options: { region: 'eu-central-1', ...options } },
})
const all = { get_all: true }

/** Lookups that behave as with the module hiera_ssm_paramstore. */
const cases: Readonly<Record<string, Case>> = {
  'a parameter': { key: 'password' },
  'a key with colons': { key: 'app::user' },
  'a missing parameter, then the next level': { key: 'missing' },
  'a missing parameter, then a default': { key: 'nothing', more: ['--default', 'a default'] },
  'an interpolated path': { key: 'key', uri: '/%{facts.os.family}/' },
  'a forbidden parameter': { key: 'x', uri: '/denied/' },
  'a throttled request': { key: 'x', uri: '/throttled/' },
  'all parameters': { key: 'password', options: all },
  'all parameters, not below folders': { key: 'deep::key', options: all, more: ['--default', 'none'] },
  'all parameters, below folders': { key: 'deep::key', options: { ...all, recursive: true } },
  'all parameters at the root': { key: 'rootkey', uri: '/', options: all },
  'a missing one of all parameters': { key: 'missing', options: all },
  'an explanation': { key: 'password', more: ['--explain'] },
  'an explanation of a missing parameter': { key: 'x', more: ['--explain'] },
  'an explanation of all parameters': { key: 'key', uri: '/Debian/', options: all, more: ['--explain'] },
  'an explanation of a missing one of all': { key: 'x', uri: '/Debian/', options: all, more: ['--explain'] },
}

const real = recordedAnswers(import.meta.filename, 'Puppet 7.23.0 with luizvasconceloss/hiera_ssm_paramstore 1.0.0')

describe('hiera_ssm_paramstore beside the module hiera_ssm_paramstore', () => {
  it.each(Object.entries(cases))('reads %s', async (title, given) => {
    const asked = { ...given, level: toLevel(given) }
    const expected = real.one(title, asked, () => lookups.real(asked))
    expect(await lookups.own(asked)).toMatchObject(expected)
  })

  it('is a function of manifests, too', async () => {
    const code = `notify { 'x': message => hiera_ssm_paramstore('password', { uri => '/app/', region => 'eu-central-1' }) }`
    const asked = { key: '', level: { path: 'none.yaml' }, site: code }
    const expected = real.one('a function', asked, () => lookups.real(asked))
    expect(await lookups.own(asked)).toMatchObject(expected)
  })
})

it('fails without a path, and sends no request unless the settings allow it', async () => {
  const level = { lookup_key: 'hiera_ssm_paramstore', options: { region: 'eu-central-1' } }
  expect(await lookups.own({ key: 'x', level })).toMatchObject({
    error: "Error: undefined method `+' for nil:NilClass",
  })
  const off = await lookups.own({ key: 'x', level: toLevel({ key: 'x' }) }, ['--external_lookups', ''])
  expect(off.error).toContain('the setting external_lookups does not allow aws')
})

it('records the version of a parameter, and never its value, and reads it again at this version', async () => {
  const inputs = join(folder, 'inputs.json')
  const code = `notify { 'x': message => lookup('password') }`
  const asked = { key: '', level: toLevel({ key: '' }), site: code }
  const first = await lookups.own(asked, ['--save-inputs', inputs])
  expect(first).toMatchObject({ status: 0, message: 'second' })
  expect(readFileSync(inputs, 'utf8')).toContain('"answer":{"version":"2 1767312002.25"}')
  expect(readFileSync(inputs, 'utf8')).not.toMatch(/second|very-secret|AKIAKEY/)
  const { parameters } = await cloud.report()
  await cloud.set({ parameters: { ...parameters, '/app/password': ['first', 'second', 'third'] } })
  expect(await lookups.own(asked)).toMatchObject({ message: 'third' })
  expect(await lookups.own(asked, ['--inputs', inputs])).toMatchObject({ message: 'second' })
  // The parameter is deleted and created again, with versions of the same numbers.
  await cloud.set({ epoch: 1 })
  const { error } = await lookups.own(asked, ['--inputs', inputs])
  expect(error).toContain('The secret /app/password no longer has the version')
})

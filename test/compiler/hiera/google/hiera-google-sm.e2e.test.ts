import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cloud, openCloud } from '../../../support/cloud.ts'
import { CloudLookups } from '../../../support/cloud-lookups.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('google')
let cloud: Cloud
let lookups: CloudLookups

beforeAll(async () => {
  cloud = await openCloud(folder)
  lookups = new CloudLookups(folder, cloud, ['--external_lookups', 'google'])
})
afterAll(() => cloud?.stop())

const toLevel = (options: object = {}) => ({
  ...{ lookup_key: 'hiera_google_sm', options: { project: 'my-project', ...options } },
})

describe('hiera_google_sm', () => {
  it.each<readonly [title: string, key: string, options: object, out: string]>([
    ['a secret', 'app::password', {}, '"Sensitive [value redacted]"'],
    ['a secret after a prefix', '_token', { prefixes: ['%{trusted.certname}'] }, '"Sensitive [value redacted]"'],
    ['a stripped key', 'google::app::password', { strip_from_keys: ['^google::'] }, '"Sensitive [value redacted]"'],
    ['a missing secret, then the next level', 'missing', {}, '"from YAML"'],
    ['a key that is not confined', 'missing', { confine_to_keys: ['^x'] }, '"from YAML"'],
  ])('reads %s', async (_, key, options, out) => {
    expect(await lookups.own({ key, level: toLevel(options) })).toMatchObject({ status: 0, out })
  })

  it.each<readonly [title: string, key: string, options: object, error: string]>([
    [
      'a forbidden secret',
      'denied',
      {},
      "cannot read the secret denied: Permission 'secretmanager.versions.access' denied",
    ],
    ['no project', 'x', { project: 1 }, 'the option project must be a text'],
    ['an invalid pattern', 'x', { confine_to_keys: ['['] }, 'invalid pattern in confine_to_keys: premature end'],
  ])('rejects %s', async (_, key, options, error) => {
    expect((await lookups.own({ key, level: toLevel(options) })).error).toContain(`Error: [hiera_google_sm] ${error}`)
  })

  it('records the version of a secret, and reads it again at this version', async () => {
    const inputs = join(folder, 'inputs.json')
    const site = "notify { 'x': message => lookup('app::password').unwrap }"
    const asked = { key: '', level: toLevel(), site }
    expect(await lookups.own(asked, ['--save-inputs', inputs])).toMatchObject({ message: 'two' })
    expect(readFileSync(inputs, 'utf8')).toContain('"answer":{"version":"2 2026-01-01T00:00:02.123456Z"}')
    expect(readFileSync(inputs, 'utf8')).not.toMatch(/"two"|google-token/)
    const { projects } = await cloud.report()
    await cloud.set({ projects: { ...projects, 'my-project': { 'app--password': ['one', 'two', 'three'] } } })
    expect(await lookups.own(asked)).toMatchObject({ message: 'three' })
    expect(await lookups.own(asked, ['--inputs', inputs])).toMatchObject({ message: 'two' })
  })
})

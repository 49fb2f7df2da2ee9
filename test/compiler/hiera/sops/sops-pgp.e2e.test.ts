import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGpgTime, decryptWithGpg } from '../../../../src/compiler/hiera/secrets/gpg.ts'
import { without } from '../../../support/needs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { hieraHost, said } from '../hiera-of.ts'
import { endGpgAgent, runGpg } from '../secrets/gpg-home.ts'

const recorded = join(import.meta.dirname, 'recorded/getsops')
const folder = scratchFolder('sops-pgp')
const home = join(folder, 'home')
const empty = join(folder, 'empty')
const lacking = without('GnuPG')

/** The worth of an expression, with a file of sops as data. */
function found(name: string, code: string, gnupg = home): string {
  const options = `{gpg_gnupghome: ${gnupg}}`
  const hiera = `version: 5\nhierarchy: [{name: s, lookup_key: sops_lookup_key, path: ${name}, options: ${options}}]\n`
  const text = readFileSync(join(recorded, name), 'utf8')
  return said(code, hieraHost({ 'hiera.yaml': hiera, [`data/${name}`]: text }, {}, [], { keyFolders: [folder] }))
}

describe.skipIf(lacking)(`files that sops has encrypted for PGP keys${lacking}`, () => {
  beforeAll(() => {
    for (const each of [home, empty]) mkdirSync(each, { mode: 0o700 })
    runGpg(home, ['--import'], readFileSync(join(recorded, 'key.asc')))
  })
  afterAll(() => {
    for (const each of [home, empty]) endGpgAgent(each)
  })

  it.each([
    ['format.enc.yaml', `lookup('foo')`, `'bar'`],
    ['format.enc.json', `lookup('foo')`, `'bar'`],
    ['format.enc.env', `lookup('foo ')`, `' bar'`],
    ['format.enc.ini', `lookup('foo')`, `{'bar' => 'baz'}`],
    ['format-2.enc.ini', `lookup('foo.bar')`, `'baz'`],
    [
      'example.ini',
      `[lookup('name'), lookup('address.city'), lookup("'not private'")]`,
      `[{'firstName' => 'John', 'lastName' => 'Smith', 'age' => '25.4'}, 'New York', {'notsecret_unencrypted' => 'hi there!'}]`,
    ],
    ['comments.enc.yaml', `[lookup('lorem'), lookup('dolor')]`, `['ipsum', 'sit']`],
    ['multiple_keys.yaml', `lookup('message')`, `'hello'`],
    [
      'example.yaml',
      `[lookup('myapp1'), lookup('app2.db'), lookup('number'), lookup('somebooleans'), lookup('this.is.a.nested.value')]`,
      `['t00m4nys3cr3tzupdated', {'user' => 'eve', 'password' => 'c4r1b0u'}, 1234568000, [true, false], 'with something secret in it']`,
    ],
    ['example.yaml', `lookup('app2.key')[0, 32]`, `"-----BEGIN RSA PRIVATE KEY-----\\n"`],
    ['example.yaml', `lookup('nested_unencrypted.this.is.all')`, `'going to remain in clear text'`],
    ['example.json', `[lookup('age'), lookup('anEmptyValue'), lookup('phoneNumbers.1.type')]`, `[25.4, '', 'office']`],
  ])('%s: %s', (name, code, value) => {
    expect(found(name, code)).toBe(value)
  })

  it('are refused without a MAC', () => {
    expect(found('no_mac.yaml', `lookup('myapp1')`)).toMatch(
      /^! sops backend error when looking up \S+ in \S+\/data\/no_mac\.yaml\. Error was MAC mismatch$/,
    )
  })

  it('have ten seconds of gpg in total', () => {
    const key = { path: home, real: home }
    const message = (text: string) => runGpg(home, ['--default-recipient-self', '--encrypt'], text)
    const time = createGpgTime()
    const all = time.left
    expect(decryptWithGpg(message('one'), key, time)).toBe('one')
    expect(time.left).toBeLessThan(all)
    time.left = 0
    const two = message('two')
    expect(() => decryptWithGpg(two, key, time)).toThrow('gpg cannot decrypt it: it took more than 10 seconds')
    expect(decryptWithGpg(two, key)).toBe('two')
  })

  it('are refused without the secret key, naming the keys', () => {
    expect(found('multiple_keys.yaml', `lookup('message')`, empty)).toContain(
      `Error was no key of the server decrypts its data key: the GnuPG home ${empty} has no secret key of its recipients: 25294A17CD90507F; the GnuPG home ${empty} has no secret key of its recipients: 5C5525B581705783`,
    )
  })
})

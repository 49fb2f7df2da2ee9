import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decryptWithGpg } from '../../../../src/compiler/hiera/secrets/gpg.ts'
import { locateKeyFile, readKeyState } from '../../../../src/compiler/hiera/secrets/key-files.ts'
import { without } from '../../../support/needs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { hieraHost, said } from '../hiera-of.ts'
import { createGpgHome, endGpgAgent, runGpg } from './gpg-home.ts'

const folder = scratchFolder('gpg')
const home = join(folder, 'home')
const other = join(folder, 'other')
const locked = join(folder, 'locked')
const lacking = without('GnuPG')

/** What hiera-eyaml-gpg makes of a text: the message in base64. */
const encrypted = (text: string | Buffer, name = 'server', by = home): Buffer =>
  runGpg(by, ['--encrypt', '--recipient', `${name}@example.com`], text)

const asBlock = (message: Buffer): string => `ENC[GPG,${message.toString('base64')}]`

/** A host with one level of eyaml data. */
function hostWith(data: string, options = `gpg_gnupghome: ${home}`, keyFolders: readonly string[] = [folder]) {
  const hiera = `version: 5\nhierarchy: [{name: s, lookup_key: eyaml_lookup_key, path: s.eyaml, options: {${options}}}]\n`
  return hieraHost({ 'hiera.yaml': hiera, 'data/s.eyaml': data }, {}, [], { keyFolders })
}

/** The error of a look-up, without the ciphertext. */
const refusal = (data: string, options?: string, keyFolders?: readonly string[]): string =>
  said(`lookup('k')`, hostWith(`k: ${data}\n`, options, keyFolders)).replace(/^.*Error was /s, '')

describe.skipIf(lacking)(`GPG values of eyaml data${lacking}`, () => {
  beforeAll(() => {
    createGpgHome(home, ['server', 'second'])
    createGpgHome(other, ['elsewhere'])
    createGpgHome(locked, ['locked'], 'a passphrase')
    endGpgAgent(locked)
  })
  afterAll(() => {
    for (const each of [home, other, locked]) endGpgAgent(each)
  })

  it('are decrypted, in blocks and beside other text', () => {
    const data = `
one: ${asBlock(encrypted('s3cret'))}
within: "user=${asBlock(encrypted('me'))}!"
utf8: ${asBlock(encrypted('é€😀'))}
ended: ${asBlock(encrypted('line\n'))}
woven: ${asBlock(encrypted('%{facts.os.name}'))}
second: ${asBlock(encrypted('another key', 'second'))}
block: >
    ${asBlock(encrypted('over many lines')).replace(/.{60}/g, '$&\n    ')}
`
    const host = hostWith(data)
    const values = ['one', 'within', 'utf8', 'ended', 'woven', 'second', 'block'].map((key) =>
      said(`lookup('${key}')`, host),
    )
    expect(values).toEqual([
      "'s3cret'",
      "'user=me!'",
      "'é€😀'",
      "'line'",
      "'Debian'",
      "'another key'",
      "'over many lines'",
    ])
  })

  it('are the default with encrypt_method', () => {
    const data = `k: ENC[${encrypted('unnamed').toString('base64')}]\n`
    expect(said(`lookup('k')`, hostWith(data, `gpg_gnupghome: ${home}, encrypt_method: gpg`))).toBe("'unnamed'")
  })

  it('are refused for another key, naming the key', () => {
    const message = encrypted('x', 'elsewhere', other)
    expect(refusal(asBlock(message))).toMatch(
      /^the GnuPG home \S+\/home has no secret key of its recipients: [0-9A-F]{16}$/,
    )
  })

  it('are refused if they were changed', () => {
    const message = encrypted('changed')
    message[message.length - 5]! ^= 1
    expect(refusal(asBlock(message))).toBe('gpg cannot decrypt it: the message was changed after its encryption')
  })

  it.each([
    ['junk', () => Buffer.from('no message'), 'gpg cannot decrypt it: it is not an OpenPGP message'],
    ['a large junk', () => Buffer.alloc(1_000_000), 'gpg cannot decrypt it: it is not an OpenPGP message'],
    [
      'a message in plain text',
      () => runGpg(home, ['--store'], 'plain'),
      'gpg cannot decrypt it: the message is not encrypted, or damaged',
    ],
    [
      'a passphrase',
      () => runGpg(home, ['--passphrase', 'x', '--symmetric'], 'symmetric'),
      'gpg cannot decrypt it: it is encrypted with a passphrase instead of a key',
    ],
    [
      'a text beyond the limit',
      () => encrypted(Buffer.alloc(3_000_000, 'a')),
      'gpg cannot decrypt it: its text is damaged, or exceeds 1048576 bytes',
    ],
  ])('refuses %s', (_, message, error) => {
    expect(refusal(asBlock(message()))).toBe(error)
  })

  it('says that a key has a passphrase', () => {
    const message = encrypted('x', 'locked', locked)
    expect(refusal(asBlock(message), `gpg_gnupghome: ${locked}`)).toBe(
      `the secret key in the GnuPG home ${locked} has a passphrase`,
    )
  })

  it('are only decrypted with a home in a directory of the setting', () => {
    const block = asBlock(encrypted('place'))
    symlinkSync(home, join(other, 'link'))
    const outside = 'is not in a directory of the setting eyaml_keydirs'
    expect(refusal(block, `gpg_gnupghome: ${home}`, [])).toContain(outside)
    expect(refusal(block, `gpg_gnupghome: ${home}`, [other])).toContain(outside)
    expect(refusal(block, `gpg_gnupghome: ${other}/link`, [other])).toContain(outside)
    expect(refusal(block, 'gpg_gnupghome: home')).toContain(outside)
    expect(refusal(block, `gpg_gnupghome: ${home}`, [home])).toBe("'place'")
    expect(refusal(block, `gpg_gnupghome: ${folder}/absent`)).toContain('No such file or directory')
    writeFileSync(join(folder, 'file'), '')
    expect(refusal(block, `gpg_gnupghome: ${folder}/file`)).toContain("doesn't exist, check gpg_gnupghome")
  })

  it('start gpg once for each text, and again when a key of the home changes', () => {
    const message = encrypted('once')
    const place = locateKeyFile(home, [folder])
    const count = countStarts()
    try {
      for (let time = 0; time < 3; time++) expect(decryptWithGpg(message, place)).toBe('once')
      expect(count.starts()).toBe(1)
      runGpg(home, ['--passphrase', '', '--quick-gen-key', 'third@example.com', 'future-default', 'default', '0'])
      expect(decryptWithGpg(message, place)).toBe('once')
      // One for this test, to make the key.
      expect(count.starts()).toBe(3)
    } finally {
      count.end()
    }
  })

  it('are not answered from the cache once the secret key is gone', () => {
    const gone = join(folder, 'gone')
    createGpgHome(gone, ['gone'])
    const message = encrypted('for now', 'gone', gone)
    const place = locateKeyFile(gone, [folder])
    expect(decryptWithGpg(message, place)).toBe('for now')
    const before = readKeyState(gone)
    expect(readKeyState(gone)).toBe(before)
    endGpgAgent(gone)
    renameSync(join(gone, 'private-keys-v1.d'), join(folder, 'put-away'))
    expect(readKeyState(gone)).not.toBe(before)
    expect(() => decryptWithGpg(message, place)).toThrow('has no secret key of its recipients')
    endGpgAgent(gone)
  })

  it('need gpg', () => {
    const message = encrypted('no program')
    const path = process.env['PATH']
    process.env['PATH'] = folder
    try {
      expect(() => decryptWithGpg(message, locateKeyFile(home, [folder]))).toThrow('the program gpg is not installed')
    } finally {
      process.env['PATH'] = path
    }
  })
})

/** Puts a program before gpg that counts its starts. */
function countStarts(): { starts: () => number; end: () => void } {
  const programs = join(folder, 'programs')
  const log = join(folder, 'starts')
  mkdirSync(programs)
  const path = process.env['PATH'] ?? ''
  const script = `#!/bin/sh\necho >> ${log}\nPATH='${path}'\nexec gpg "$@"\n`
  writeFileSync(join(programs, 'gpg'), script)
  chmodSync(join(programs, 'gpg'), 0o755)
  process.env['PATH'] = `${programs}${delimiter}${path}`
  return {
    starts: () => readFileSync(log, 'utf8').length,
    end: () => {
      process.env['PATH'] = path
    },
  }
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEnvelope } from '../../../../src/compiler/hiera/eyaml/enveloped-data.ts'
import { readRsaKey } from '../../../../src/compiler/hiera/eyaml/rsa-key.ts'
import { locateKeyFile } from '../../../../src/compiler/hiera/secrets/key-files.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { hieraHost, puppetFunction, said } from '../hiera-of.ts'

const readKey = (path: string, folders: readonly string[]) => readRsaKey(locateKeyFile(path, folders))

const folder = scratchFolder('eyaml')
const keys = join(folder, 'keys')
const key = join(keys, 'private_key.pkcs7.pem')
mkdirSync(keys)
openssl(keys, 'private_key.pkcs7.pem', 'public_key.pkcs7.pem')
openssl(folder, 'other.pem', 'other-public.pem')

/** A key pair as `eyaml createkeys` makes one. */
function openssl(where: string, privateName: string, publicName: string): void {
  const names = ['-keyout', join(where, privateName), '-out', join(where, publicName)]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/', '-days', '1', ...names], {
    stdio: 'ignore',
  })
}

/** What OpenSSL makes of a text for a certificate, in base 64, as hiera-eyaml has it. */
function encrypted(text: string, cipher = 'aes-256-cbc', certificate = join(keys, 'public_key.pkcs7.pem')): string {
  const args = ['smime', '-encrypt', '-binary', '-outform', 'DER', `-${cipher}`, certificate]
  return execFileSync('openssl', args, { input: text, stdio: ['pipe', 'pipe', 'ignore'] }).toString('base64')
}

const whole = encrypted('s3cret')
const broken = encrypted('over many lines').replace(/.{60}/g, '$&\n    ')

const data = `
plain: "is %{facts.os.family}"
one: ENC[PKCS7,${whole}]
unnamed: ENC[${whole}]
within: "user=ENC[PKCS7,${encrypted('me')}] password=ENC[PKCS7,${whole}]!"
folded: >
    ENC[PKCS7,${broken}]
literal: |
    ENC[PKCS7,${broken}]
deep: {"%{facts.os.family}": [ENC[PKCS7,${whole}], 5, ~]}
ended: ENC[PKCS7,${encrypted('line\n')}]
woven: ENC[PKCS7,${encrypted('%{facts.os.name}!')}]
utf8: ENC[PKCS7,${encrypted('é€😀')}]
old: ENC[PKCS7,${encrypted('tripled', 'des3')}]
gpg: ENC[GPG,${whole}]
rot13: ENC[ROT13,${whole}]
foreign: ENC[PKCS7,${encrypted('x', 'aes-256-cbc', join(folder, 'other-public.pem'))}]
nonsense: ENC[PKCS7,AAAA]
empty: ENC[]
nothing: ~
`.replace(/deep: .*/, `deep:\n  "%{facts.os.family}":\n    - ENC[PKCS7,${whole}]\n    - 5\n    - ~`)

function hostWith(options: string, keyFolders: readonly string[] = [keys]) {
  const hiera = `version: 5\nhierarchy: [{name: s, lookup_key: eyaml_lookup_key, path: s.eyaml, options: {${options}}}]\n`
  return hieraHost({ 'hiera.yaml': hiera, 'data/s.eyaml': data }, {}, [], { keyFolders })
}

describe('eyaml_lookup_key', () => {
  const host = hostWith(`pkcs7_private_key: ${key}`)

  it.each([
    ['plain', `'is Debian'`],
    ['one', `'s3cret'`],
    ['unnamed', `'s3cret'`],
    ['within', `'user=me password=s3cret!'`],
    ['folded', `'over many lines'`],
    ['literal', `'over many lines'`],
    ['deep', `{'Debian' => ['s3cret', 5, undef]}`],
    ['deep.Debian.0', `'s3cret'`],
    ['ended', `'line'`],
    ['woven', `'Debian!'`],
    ['utf8', `'é€😀'`],
    ['old', `'tripled'`],
    ['empty', `'ENC[]'`],
    ['nothing', 'undef'],
  ])('%s', (name, worth) => {
    expect(said(`lookup('${name}')`, host)).toBe(worth)
  })

  it.each([
    ['gpg', 'No GPG home directory configured, check gpg_gnupghome configuration value is correct'],
    ['rot13', 'the encryption method ROT13 is not supported'],
    ['foreign', 'the private key does not decrypt it'],
    ['nonsense', 'it is not PKCS7 enveloped data: '],
  ])('refuses %s', (name, detail) => {
    const text = said(`lookup('${name}')`, host)
    expect(text).toContain('! hiera-eyaml backend error decrypting ENC[')
    expect(text).toContain(` when looking up ${name} in ${host.root}/data/s.eyaml. Error was ${detail}`)
  })

  it('says what is not there', () => {
    expect(said(`lookup('absent', undef, undef, 'default')`, host)).toBe(`'default'`)
  })

  it('asks for a file', () => {
    const hiera = 'version: 5\nhierarchy: [{name: s, lookup_key: eyaml_lookup_key}]\n'
    expect(said(`lookup('x')`, hieraHost({ 'hiera.yaml': hiera }))).toContain(
      "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml",
    )
  })

  it('can be called by a function of the code', () => {
    const mine = puppetFunction(
      'mine',
      ['key', 'options', 'context'],
      `$found = eyaml_lookup_key($key, $options, $context) "<\${found}>"`,
    )
    const hiera = `version: 5\nhierarchy: [{name: s, lookup_key: mine, path: s.eyaml, options: {pkcs7_private_key: ${key}}}]\n`
    const caller = hieraHost({ 'hiera.yaml': hiera, 'data/s.eyaml': data }, {}, [mine], { keyFolders: [keys] })
    expect(said(`lookup('one')`, caller)).toBe(`'<s3cret>'`)
    expect(said(`lookup('absent', undef, undef, 5)`, caller)).toBe('5')
  })
})

describe('keys', () => {
  it.each([
    ['', [keys], 'pkcs7_private_key is not defined'],
    [
      'pkcs7_private_key_env_var: EYAML',
      [keys],
      "pkcs7_private_key_env_var is not supported: the variable 'EYAML' is ignored",
    ],
    [
      'pkcs7_b64_private_key_env_var: EYAML',
      [keys],
      "pkcs7_b64_private_key_env_var is not supported: the variable 'EYAML' is ignored",
    ],
    ['pkcs7_private_key: []', [keys], 'pkcs7_private_key is not defined'],
    [`pkcs7_private_key: ${key}`, [], `the private key ${key} is not in a directory of the setting eyaml_keydirs`],
    [`pkcs7_private_key: ${keys}/../other.pem`, [keys], 'is not in a directory of the setting eyaml_keydirs'],
    ['pkcs7_private_key: keys/private_key.pkcs7.pem', [keys], 'is not in a directory of the setting eyaml_keydirs'],
    [
      `pkcs7_private_key: ${keys}/absent.pem`,
      [keys],
      `the private key ${keys}/absent.pem cannot be read: No such file or directory`,
    ],
    [`pkcs7_private_key: ${keys}/public_key.pkcs7.pem`, [keys], 'cannot be read: it is not a PEM private key'],
  ])('with { %s } of %j: %s', (options, folders, detail) => {
    expect(said(`lookup('one')`, hostWith(options, folders))).toContain(detail)
  })

  it('are tried in turn while they are rotated', () => {
    const rotated = hostWith(`pkcs7_private_key: [${join(folder, 'other.pem')}, ${key}]`, [folder])
    expect(said(`lookup('one')`, rotated)).toBe(`'s3cret'`)
    expect(said(`lookup('foreign')`, rotated)).toBe(`'x'`)
    const reversed = hostWith(`pkcs7_private_key: [${key}, ${keys}/absent.pem]`)
    expect(said(`lookup('one')`, reversed)).toBe(`'s3cret'`)
    expect(said(`lookup('foreign')`, reversed)).toContain('absent.pem cannot be read: No such file or directory')
    expect(said(`lookup('foreign')`, hostWith(`pkcs7_private_key: [${key}, ${key}]`))).toContain(
      'none of the 2 private keys decrypts it',
    )
  })

  it('are not read through a link that leads out of their folder', () => {
    symlinkSync(join(folder, 'other.pem'), join(keys, 'link.pem'))
    expect(() => readKey(join(keys, 'link.pem'), [keys])).toThrow('is not in a directory of the setting eyaml_keydirs')
    expect(readKey(join(keys, 'link.pem'), [keys, folder]).type).toBe('private')
  })

  it('are read again when they are replaced', () => {
    const other = readKey(join(folder, 'other.pem'), [folder])
    const path = join(keys, 'changing.pem')
    for (const [at, each] of [readKey(key, [keys]), other].entries()) {
      writeFileSync(path, each.export({ type: 'pkcs8', format: 'pem' }))
      // Two writes within a tick of the kernel's clock may have the same time.
      utimesSync(path, at, at)
      expect(readKey(path, [keys]).equals(each)).toBe(true)
    }
  })
})

describe('enveloped data', () => {
  const secret = readKey(key, [keys])
  const bytes = Buffer.from(whole, 'base64')

  it('opens for its key', () => {
    expect(openEnvelope(bytes, [secret]).toString()).toBe('s3cret')
  })

  it('is refused, and no more, when any byte of it differs', () => {
    let refused = 0
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x55
      let result = ''
      try {
        result = openEnvelope(changed, [secret]).toString('latin1')
      } catch (error) {
        refused += 1
        expect((error as { diagnostic?: { code: string } }).diagnostic?.code).toMatch(/^EYAML_(MALFORMED|WRONG_KEY)$/)
      }
      // The issuer, the serial and the block before the text do not tell; the text itself never comes out another way.
      expect(result.length).toBeLessThan(17)
    }
    expect(refused).toBeGreaterThan(bytes.length / 14)
  })
})

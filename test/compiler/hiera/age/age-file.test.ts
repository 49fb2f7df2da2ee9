import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import { decodeAgeArmor } from '../../../../src/compiler/hiera/age/age-armor.ts'
import { decryptAgeFile } from '../../../../src/compiler/hiera/age/age-file.ts'
import { parseAgeIdentities } from '../../../../src/compiler/hiera/age/age-identities.ts'
import { decodeBech32 } from '../../../../src/compiler/hiera/age/bech32.ts'
import { armored, createIdentity, encryptAge } from './age-writer.ts'

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8')) as Record<string, string>

/** The words of the suite for our errors. */
const failures: Readonly<Record<string, string>> = {
  AGE_ARMOR: 'armor failure',
  AGE_HEADER: 'header failure',
  AGE_NO_MATCH: 'no match',
  AGE_CHANGED: 'HMAC failure',
  AGE_PAYLOAD: 'payload failure',
}

/** Vectors whose failure has another name here: armor without content, and a header without a whole nonce behind it. */
const renamed: Readonly<Record<string, string>> = {
  armor_empty: 'armor failure',
  stream_no_nonce: 'payload failure',
  stream_short_nonce: 'payload failure',
}

function outcome(vector: Buffer): { expected: string; found: string } {
  const end = vector.indexOf('\n\n')
  const head = vector
    .toString('latin1', 0, end)
    .split('\n')
    .map((line) => line.split(': '))
  const all = (name: string) => head.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const rest = vector.subarray(end + 2)
  const body = all('compressed').length > 0 ? inflateSync(rest) : rest
  try {
    const file = all('armored').length > 0 ? decodeAgeArmor(body.toString('latin1')) : body
    const plain = decryptAgeFile(file, parseAgeIdentities(all('identity').join('\n')))
    return {
      expected: all('expect')[0]!,
      found: hash('sha256', plain) === all('payload')[0] ? 'success' : 'other bytes',
    }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { expected: all('expect')[0]!, found: failures[error.diagnostic.code] ?? error.message }
  }
}

describe('age files', () => {
  it.each(Object.entries(vectors))('of the suite: %s', (name, base64) => {
    const { expected, found } = outcome(Buffer.from(base64, 'base64'))
    expect(found).toBe(renamed[name] ?? expected)
  })

  it('have any of several recipients', () => {
    const all = [createIdentity(), createIdentity(), createIdentity()]
    const file = encryptAge(
      Buffer.from('for three'),
      all.map(({ publicKey }) => publicKey),
    )
    for (const { line } of all)
      expect(decryptAgeFile(decodeAgeArmor(armored(file)), parseAgeIdentities(line)).toString()).toBe('for three')
    const stranger = parseAgeIdentities(createIdentity().line)
    expect(() => decryptAgeFile(file, stranger)).toThrow('no age identity decrypts it')
    expect(decryptAgeFile(file, [...stranger, ...parseAgeIdentities(all[1]!.line)]).toString()).toBe('for three')
  })

  it('are refused when any byte differs', () => {
    const one = createIdentity()
    const identities = parseAgeIdentities(one.line)
    const file = encryptAge(Buffer.from('s3cret'), [one.publicKey])
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at]! ^= 0x01
      expect(() => decryptAgeFile(changed, identities), `byte ${at}`).toThrow(PuppetError)
    }
    for (let end = 0; end < file.length; end++)
      expect(() => decryptAgeFile(file.subarray(0, end), identities), `${end} bytes`).toThrow(PuppetError)
  })
})

describe('age identities', () => {
  const one = createIdentity()

  it('stand one in each line, among comments', () => {
    const text = `# created: now\n# public key: ${one.recipient}\r\n${one.line}\r\n\n${createIdentity().line}\n`
    const identities = parseAgeIdentities(text)
    expect(identities).toHaveLength(2)
    expect(identities[0]?.publicKey.equals(one.publicKey)).toBe(true)
    expect(decodeBech32(one.recipient)?.bytes.equals(one.publicKey)).toBe(true)
  })

  it.each([
    [` ${one.line}`, 'it is malformed'],
    [one.line.slice(0, -1), 'it is malformed'],
    [`${one.line.slice(0, -1)}${one.line.endsWith('Q') ? 'P' : 'Q'}`, 'it is malformed'],
    [one.line.toLowerCase(), 'it is malformed'],
    [one.recipient, 'it is malformed'],
    ['AGE-SECRET-KEY-PQ-1QQ', 'post-quantum identities are not supported'],
    ['AGE-PLUGIN-YUBIKEY-1QQ', 'identities of plug-ins are not supported'],
    ['-----BEGIN AGE ENCRYPTED FILE-----', 'identities with a passphrase are not supported'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----', 'SSH keys are not supported'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'PEM keys are not supported'],
  ])('are not %j', (line, why) => {
    const text = `# a comment\n${line}\n`
    expect(() => parseAgeIdentities(text)).toThrow(`line 2 is not an age identity: ${why}`)
  })

  it('are never in a message', () => {
    const broken = `${one.line.slice(0, -1)}!`
    expect(() => parseAgeIdentities(broken)).toThrow(/^(?!.*AGE-SECRET)/)
  })

  it('are few in a file', () => {
    expect(() => parseAgeIdentities(`${one.line}\n`.repeat(51))).toThrow('the file has more than 50 identities')
  })
})

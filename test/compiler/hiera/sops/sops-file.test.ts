import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { SopsKeys } from '../../../../src/compiler/hiera/sops/data-key.ts'
import { parseGoScalar } from '../../../../src/compiler/hiera/sops/go-scalars.ts'
import { combineShares } from '../../../../src/compiler/hiera/sops/shamir.ts'
import { decryptSopsFile, parseSopsFile } from '../../../../src/compiler/hiera/sops/sops-file.ts'
import { toLiteral } from '../../../../src/language/types/printing/text.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { armored, createIdentity, encryptAge } from '../age/age-writer.ts'
import { type Plain, splitSecret, type WriterOptions, writeSopsJson } from './sops-writer.ts'

const folder = scratchFolder('sops')
const fixtures = join(import.meta.dirname, 'recorded')

/** A key file, as a level has it. */
function keysOf(...lines: readonly string[]): SopsKeys {
  const path = join(folder, `keys-${randomBytes(8).toString('hex')}.txt`)
  writeFileSync(path, lines.join('\n'))
  return { ageFiles: [{ path, real: path }], gpgHome: undefined }
}

const server = createIdentity()
const other = createIdentity()
const serverKeys = keysOf(server.line)
const own: WriterOptions = { groups: [[other.publicKey, server.publicKey]] }

const decrypt = (text: string, path = 'data/s.json', keys = serverKeys): string => {
  try {
    return toLiteral(decryptSopsFile(parseSopsFile(text, path), keys))
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}

describe('files that sops has written', () => {
  it.each([
    [
      'flux/age.yaml',
      `{'apiVersion' => 'v1', 'kind' => 'Secret', 'metadata' => {'name' => 'age'}, 'stringData' => {'key' => 'value'}}`,
    ],
    [
      'flux/merge1.yaml',
      `{'apiVersion' => 'v1', 'kind' => 'Secret', 'metadata' => {'name' => 'secret'}, 'stringData' => {'key' => 'merge1'}}`,
    ],
    ['flux/env.env', `{'key' => 'value'}`],
    [
      'sops-nix/secrets.yaml',
      `{'test_key' => 'test_value', 'a_list' => ['e1', 'e3'], 'nested' => {'test' => {'file' => 'another value'}}}`,
    ],
  ])('%s', (name, value) => {
    const path = join(fixtures, name)
    const keys = join(fixtures, name.split('/')[0]!, 'age-keys.txt')
    const found = decrypt(readFileSync(path, 'utf8'), path, {
      ageFiles: [{ path: keys, real: keys }],
      gpgHome: undefined,
    })
    expect(found).toBe(value)
  })
})

describe('values', () => {
  const data = {
    text: 'é€😀',
    empty: '',
    int: -42,
    float: 1.25,
    small: 1e-7,
    yes: true,
    no: false,
    nothing: null,
    list: ['a', 1, { deep: 'b' }],
    map: { a: { b: { c: 'd' } } },
    plain_unencrypted: { keeps: ['c', 2, 0.5, true, null] },
  }
  const literal =
    `{'text' => 'é€😀', 'empty' => '', 'int' => -42, 'float' => 1.25, 'small' => 1.0e-07, 'yes' => true, 'no' => false, ` +
    `'nothing' => undef, 'list' => ['a', 1, {'deep' => 'b'}], 'map' => {'a' => {'b' => {'c' => 'd'}}}, ` +
    `'plain_unencrypted' => {'keeps' => ['c', 2, 0.5, true, undef]}}`
  // The writer uses JavaScript's notation for the MAC, which has an exponent for small numbers.
  const { small: _, ...written } = data

  it('have their types, in JSON and in YAML', () => {
    const expected = literal.replace(`'small' => 1.0e-07, `, '')
    const json = writeSopsJson(written, own)
    expect(decrypt(json)).toBe(expected)
    expect(decrypt(stringify(JSON.parse(json)), 's.yaml')).toBe(expected)
    expect(decrypt(stringify(JSON.parse(json), { defaultStringType: 'QUOTE_DOUBLE' }), 's.yml')).toBe(expected)
  })

  it('are encrypted or not by the rule of the file', () => {
    const some: Plain & object = { password: 'p', user: 'u', deep: { password: ['q'], other: 'o' } }
    const expected = `{'password' => 'p', 'user' => 'u', 'deep' => {'password' => ['q'], 'other' => 'o'}}`
    const isPassword = (path: readonly string[]) => path.some((name) => name === 'password')
    const rules: readonly [Record<string, Plain>, boolean][] = [
      [{ encrypted_regex: '^pass(word|phrase)$' }, true],
      [{ unencrypted_regex: '^pass(word|phrase)$' }, false],
      [{ encrypted_suffix: 'word' }, true],
      [{ unencrypted_suffix: 'word' }, false],
      [{ encrypted_regex: '^password$', mac_only_encrypted: true }, true],
      [{ unencrypted_regex: 'assw', mac_only_encrypted: true }, false],
    ]
    for (const [metadata, selects] of rules) {
      const text = writeSopsJson(some as never, {
        ...own,
        metadata,
        isEncrypted: (path) => isPassword(path) === selects,
      })
      expect(decrypt(text), JSON.stringify(metadata)).toBe(expected)
      expect(text.includes('"u"')).toBe(selects)
    }
  })

  it('of YAML that are not encrypted are read as sops reads them', () => {
    const text = writeSopsJson(
      { a_unencrypted: ['yes', '0x10', 1, 'n', '2026-11-29T12:00:00Z', 1_234_567, true, 'x: y'] },
      own,
    )
    const yaml = stringify(JSON.parse(text))
      .replace('- "2026-11-29T12:00:00Z"', '- 2026-11-29T12:00:00Z')
      .replace('- yes', '- yes')
    expect(decrypt(yaml, 's.yaml')).toBe(
      `{'a_unencrypted' => ['yes', '0x10', 1, 'n', '2026-11-29T12:00:00Z', 1234567, true, 'x: y']}`,
    )
  })
})

/** `strconv` and yaml/v3 of Go, by their documentation: 64 bits, then float, then string. */
describe('numbers of plain YAML', () => {
  it.each<[string, string]>([
    ['9223372036854775808', '9223372036854775808'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '18446744073709552000'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-9223372036854775809', '-9223372036854776000'],
    ['123456789012345678901234567890', '123456789012345680000000000000'],
    ['0xffffffffffffffff', '18446744073709551615'],
    ['0x1ffffffffffffffff', '0x1ffffffffffffffff'],
    ['-0b11', '-3'],
    ['0777', '511'],
    ['1e400', '1e400'],
  ])('%s', (text, expected) => {
    expect(parseGoScalar(text)).toMatchObject({ text: expected })
  })

  it('of millions of digits are strings', () => {
    for (const text of ['1', '-1', '0x1', '0b1', '1.5'].map((each) => each.padEnd(4_000_000, '1')))
      expect(parseGoScalar(text)).toMatchObject({ value: text.startsWith('1.') ? expect.anything() : text })
  }, 2_000)
})

describe('keys', () => {
  it('are searched with a bounded number of attempts', () => {
    const enc = armored(
      encryptAge(
        randomBytes(32),
        Array.from({ length: 300 }, () => other.publicKey),
      ),
    )
    const valid = JSON.parse(writeSopsJson({ k: 'v' }, own))
    const text = JSON.stringify({ ...valid, sops: { ...valid.sops, age: Array(60).fill({ enc }) } })
    expect(decrypt(text)).toBe(
      '! no key of the server decrypts its data key: no age identity decrypts it; it needs more than 1000 attempts to find the age identity',
    )
  })

  it('may be several in a file, and several files', () => {
    const text = writeSopsJson({ k: 'v' }, own)
    expect(decrypt(text, 's.json', keysOf(createIdentity().line, '# mine', server.line))).toBe(`{'k' => 'v'}`)
    const files = [keysOf(createIdentity().line), serverKeys].flatMap(({ ageFiles }) => ageFiles)
    expect(decrypt(text, 's.json', { ageFiles: files, gpgHome: undefined })).toBe(`{'k' => 'v'}`)
  })

  it('must fit', () => {
    const text = writeSopsJson({ k: 'v' }, own)
    expect(decrypt(text, 's.json', keysOf(createIdentity().line))).toBe(
      '! no key of the server decrypts its data key: no age identity decrypts it',
    )
    expect(decrypt(text, 's.json', keysOf('# nothing'))).toBe(
      '! no key of the server decrypts its data key: the level has no key for its recipients (age)',
    )
    expect(decrypt(text, 's.json', keysOf('nonsense'))).toMatch(
      /^! the private key \S+ cannot be read: line 1 is not an age identity: it is malformed$/,
    )
    const kms = text.replace('"age":', '"kms":')
    expect(decrypt(kms)).toBe(
      '! no key of the server decrypts its data key: the level has no key for its recipients (kms)',
    )
  })

  it('may be split among groups', () => {
    const all = [createIdentity(), createIdentity(), createIdentity()]
    const options = { groups: all.map(({ publicKey }) => [publicKey]), threshold: 2 }
    const text = writeSopsJson({ k: 'v' }, options)
    for (const [first, second] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      expect(decrypt(text, 's.json', keysOf(all[first]!.line, all[second]!.line))).toBe(`{'k' => 'v'}`)
    expect(decrypt(text, 's.json', keysOf(...all.map(({ line }) => line)))).toBe(`{'k' => 'v'}`)
    expect(decrypt(text, 's.json', keysOf(all[0]!.line))).toBe(
      '! 1 of its key groups can be decrypted, and 2 are needed',
    )
    const lowered = text.replace('"shamir_threshold": 2', '"shamir_threshold": 1')
    expect(decrypt(lowered, 's.json', keysOf(all[0]!.line))).toMatch(/^! /)
  })

  it('are combined from any shares that suffice', () => {
    const secret = randomBytes(32)
    const shares = splitSecret(secret, 5, 3)
    expect(combineShares([shares[4]!, shares[1]!, shares[2]!])?.equals(secret)).toBe(true)
    expect(combineShares(shares)?.equals(secret)).toBe(true)
    expect(combineShares(shares.slice(0, 2))?.equals(secret)).toBe(false)
    expect(combineShares([shares[0]!, shares[0]!])).toBeUndefined()
    expect(combineShares([shares[0]!, shares[1]!.subarray(1)])).toBeUndefined()
    expect(combineShares([])).toBeUndefined()
  })
})

/** The file that the tests change. */
interface Written {
  a?: string
  b?: string
  n: string
  list: string[]
  c_unencrypted?: string
  sops: { mac?: string }
}

describe('a changed file is refused', () => {
  const text = writeSopsJson({ a: 'one', b: 'two', n: 1, list: ['x', 'y'], c_unencrypted: 'open' }, own)
  const parsed = () => JSON.parse(text) as Written
  const changed = (change: (file: Written) => void): string => {
    const file = parsed()
    change(file)
    return JSON.stringify(file)
  }
  const foreign = JSON.parse(writeSopsJson({ a: 'other' }, own))

  it.each<[string, (file: Written) => void, string]>([
    ['nothing', () => {}, `{'a' => 'one', 'b' => 'two', 'n' => 1, 'list' => ['x', 'y'], 'c_unencrypted' => 'open'}`],
    ['an open value', (file) => Object.assign(file, { c_unencrypted: 'shut' }), '! MAC mismatch'],
    ['an open value less', (file) => delete file.c_unencrypted, '! MAC mismatch'],
    ['an open value more', (file) => Object.assign(file, { d_unencrypted: 'x' }), '! MAC mismatch'],
    ['a value less', (file) => delete file.a, '! MAC mismatch'],
    ['items in another order', (file) => file.list.reverse(), '! MAC mismatch'],
    [
      'the MAC of another file',
      (file) => Object.assign(file.sops, { mac: foreign.sops.mac }),
      '! the value at sops.mac was changed or moved after its encryption',
    ],
    ['no MAC', (file) => delete file.sops.mac, '! MAC mismatch'],
    ['an open MAC', (file) => Object.assign(file.sops, { mac: 'ABC' }), '! the value at sops.mac is not encrypted'],
    [
      'another time',
      (file) => Object.assign(file.sops, { lastmodified: '2026-11-29T12:00:01Z' }),
      '! the value at sops.mac was changed or moved after its encryption',
    ],
    [
      'a moved value',
      (file) => Object.assign(file, { b: file.a }),
      '! the value at b was changed or moved after its encryption',
    ],
    [
      'a value of another file',
      (file) => Object.assign(file, { a: foreign.a }),
      '! the value at a was changed or moved after its encryption',
    ],
    [
      'another type',
      (file) => Object.assign(file, { a: file.a!.replace('type:str', 'type:int') }),
      '! the value at a is not an integer',
    ],
    [
      'an unknown type',
      (file) => Object.assign(file, { a: file.a!.replace('type:str', 'type:x') }),
      '! the value at a has an unknown type',
    ],
    [
      'a changed value',
      (file) => Object.assign(file, { a: file.a!.replace(/data:../, 'data:AA') }),
      '! the value at a was changed or moved after its encryption',
    ],
    [
      'a short tag',
      (file) => Object.assign(file, { a: file.a!.replace(/tag:[^,]+/, 'tag:AAAA') }),
      '! the value at a was changed or moved after its encryption',
    ],
    ['a value in the clear', (file) => Object.assign(file, { a: 'clear' }), '! the value at a is not encrypted'],
    ['a number in the clear', (file) => Object.assign(file, { n: 1 }), '! the value at n is not encrypted'],
    ['an open rule', (file) => Object.assign(file.sops, { unencrypted_regex: '.*' }), '! MAC mismatch'],
    ['a partial MAC', (file) => Object.assign(file.sops, { mac_only_encrypted: true }), '! MAC mismatch'],
    [
      'two rules',
      (file) => Object.assign(file.sops, { encrypted_suffix: 'a', encrypted_regex: 'b' }),
      '! its sops metadata are invalid: it has more than one rule: encrypted_suffix, encrypted_regex',
    ],
    [
      'a rule about comments',
      (file) => Object.assign(file.sops, { encrypted_comment_regex: 'a' }),
      '! its sops metadata are invalid: encrypted_comment_regex is not supported',
    ],
  ])('with %s', (_, change, expected) => {
    expect(decrypt(changed(change))).toBe(expected)
  })

  it('without plain text in its message', () => {
    for (const change of [
      (file: Written) => Object.assign(file, { a: file.a!.replace('type:str', 'type:int') }),
      (file: Written) => Object.assign(file, { a: file.a!.replace('type:str', 'type:bool') }),
      (file: Written) => Object.assign(file, { a: file.a!.replace('type:str', 'type:float') }),
      (file: Written) => delete file.b,
    ])
      expect(decrypt(changed(change))).toMatch(/^! (?!.*one)/)
  })
})

describe('hostile files are refused', () => {
  const valid = JSON.parse(writeSopsJson({ a: 'one' }, own))
  const withSops = (sops: object, more: object = {}): string =>
    JSON.stringify({ ...valid, ...more, sops: { ...valid.sops, ...sops } })
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  it.each<[string, string, string, RegExp]>([
    ['HTML', '<!doctype html>\n<html><body>404</body></html>', 's.yaml', /sops|YAML/],
    ['HTML as JSON', '<!doctype html>', 's.json', /^! it is not valid JSON: /],
    ['HTML as dotenv', '<!doctype html>', 's.env', /^! it is not valid dotenv of SOPS: a line has no equals sign$/],
    ['nothing', '', 's.yaml', /^! it is not valid YAML of SOPS: it is not a mapping$/],
    ['plain data', 'a: b\n', 's.yaml', /^! sops metadata not found$/],
    ['plain JSON', '{"a": "b"}', 's.json', /^! sops metadata not found$/],
    ['plain dotenv', 'A=b\n', 's.env', /^! sops metadata not found$/],
    ['metadata that are a text', 'a: b\nsops: c\n', 's.yaml', /^! sops metadata not found$/],
    [
      'metadata without keys',
      'a: b\nsops: {lastmodified: "2026-11-29T12:00:00Z"}\n',
      's.yaml',
      /no keys found in file$/,
    ],
    ['metadata without a time', 'a: b\nsops: {}\n', 's.yaml', /lastmodified is not a time$/],
    ['another format', 'x', 's.toml', /^! the format of s\.toml is not supported$/],
    ['no extension', 'x', 'constructor', /^! the format of constructor is not supported$/],
    ['10 MB', `a: ${'x'.repeat(10_000_000)}`, 's.yaml', /^! it exceeds 4194304 characters$/],
    ['deep nesting', deep(5000), 's.json', /^! /],
    ['deep nesting in YAML', deep(150), 's.yaml', /^! it exceeds 100 levels$/],
    ['too deep for YAML', deep(5000), 's.yaml', /nested too deeply$/],
    ['many values', `a: [${'1,'.repeat(60_000)}]`, 's.yaml', /^! it exceeds 50000 values$/],
    ['aliases', 'a: &a [1]\nb: *a\nsops: {}\n', 's.yaml', /SOPS writes no aliases$/],
    ['a key twice', 'a: 1\na: 2\nsops: {}\n', 's.yaml', /a key occurs twice$/],
    ['a key that is a number', '1: 2\nsops: {}\n', 's.yaml', /only string keys are supported$/],
    ['two documents', 'a: 1\nsops: {}\n---\nb: 2\n', 's.yaml', /several documents are not supported/],
    ['an empty second document', 'a: 1\nsops: {}\n...\n---\n', 's.yaml', /several documents are not supported/],
    ['tags', 'a: !ruby/object:Foo {}\nb: !x y\nsops: {}\n', 's.yaml', /^! /],
    [
      '10,000 recipients',
      withSops({ age: Array(10_000).fill({ enc: 'x' }) }),
      's.json',
      /^! it exceeds 100 recipients$/,
    ],
    [
      '10,000 groups',
      withSops({ age: [], key_groups: Array(10_000).fill({}) }),
      's.json',
      /^! it exceeds 100 recipients$/,
    ],
    [
      'groups of many',
      withSops({ age: [], key_groups: Array(60).fill({ age: [{ enc: 'x' }] }) }),
      's.json',
      /^! it exceeds 100 recipients$/,
    ],
    ['a huge threshold', withSops({ shamir_threshold: 1e300 }), 's.json', /^\{/],
    [
      'a threshold that is no number',
      withSops({ shamir_threshold: 'x' }),
      's.json',
      /shamir_threshold is not a number$/,
    ],
    ['a recipient that is no mapping', withSops({ age: ['x'] }), 's.json', /a recipient is not a mapping$/],
    ['recipients that are no list', withSops({ age: 'x' }), 's.json', /age is not a list$/],
    [
      'a key that is no armor',
      withSops({ age: [{ enc: 'x' }] }),
      's.json',
      /its armor is malformed: its first line is wrong$/,
    ],
    [
      'a huge key',
      withSops({ age: [{ enc: 'x'.repeat(70_000) }] }),
      's.json',
      /an encrypted data key exceeds 65536 characters$/,
    ],
    ['a huge pattern', withSops({ encrypted_regex: '(a{1000}){1000}' }), 's.json', /^! The regular expression/],
    ['a wrong pattern', withSops({ encrypted_regex: '(' }), 's.json', /^! The regular expression/],
    ['a long path', withSops({}, { ['k'.repeat(5000)]: 'x' }), 's.json', /^! it exceeds 4096 characters in a path$/],
    ['metadata of dotenv that clash', 'sops_a__list_0=1\nsops_a=2\n', 's.env', /a key of the metadata occurs twice$/],
    ['deep metadata of dotenv', `sops_a${'__map_b'.repeat(1000)}=1\n`, 's.env', /has too many parts$/],
  ])('%s', (_, text, path, error) => {
    expect(decrypt(text, path)).toMatch(error)
  })
})

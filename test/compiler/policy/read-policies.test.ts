import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { isPolicyFile, readPolicies } from '../../../src/compiler/policy/read-policies.ts'
import { treeOf } from '../../support/map-tree.ts'

const rule = (lines: string) => `rules:\n  a:\n    message: As it is to be\n${lines.replace(/^/gm, '    ')}\n`
const schema = (text: string) => rule(`parameters: ${text}`)
const exceptionOf = (lines: string) =>
  `${schema('{}')}exceptions:\n  - ${['rule: a', 'until: 2026-06-30', 'reason: r', lines].filter((line) => line !== '').join('\n    ')}\n`

/** What is wrong with a file of policies, and what helps. */
function problem(files: Readonly<Record<string, string>>): string | undefined {
  try {
    readPolicies(treeOf(files))
    return undefined
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, hint } = error.diagnostic
    return [message, hint].filter((text) => text !== undefined).join('\n')
  }
}
const inFile = (text: string) => problem({ 'policies/a.yaml': text })
const file = '/code/production/policies/a.yaml'
const cannot = (why: string) => `The JSON Schema of the rule 'a' in ${file} cannot be used: ${why}`

/** Schemas of which each refers to the next one twice: 2 to the power of `levels`, written out. */
const doubling = (levels: number) => {
  const each = Array.from({ length: levels }, (_, at) => {
    const next = `{ $ref: '#/$defs/d${at + 1}' }`
    return `d${at}: { allOf: [${next}, ${next}] }`
  })
  return `{ $defs: { ${each.join(', ')}, d${levels}: { type: object } }, $ref: '#/$defs/d0' }`
}

describe('files of policies', () => {
  it.each([
    ['production/policies/a.yaml', false],
    ['policies/a.yaml', true],
    ['policies/a.yml', true],
    ['policies/below/a.yaml', false],
    ['policies/.a.yaml', false],
    ['policies/a.pp', false],
    ['policies', false],
  ])('%s: %s', (path, isOne) => {
    expect(isPolicyFile(path)).toBe(isOne)
  })

  it('are none where there is no folder, and are read in the order of their names', () => {
    expect(readPolicies(treeOf({ 'manifests/site.pp': '' }))).toEqual({ rules: [], exceptions: [] })
    const named = (name: string) => schema('{}').replace('a:', `${name}:`)
    const files = { 'policies/b.yml': named('one'), 'policies/a.yaml': named('two'), 'policies/empty.yaml': '' }
    expect(readPolicies(treeOf(files)).rules.map(({ name }) => name)).toEqual(['two', 'one'])
  })

  it.each([
    ['text', 'hello', /has wrong type, expects a value of type Undef or Struct, got String/],
    ['an unknown key', `${schema('{}')}rule: []`, /unrecognized key 'rule'\n.*rules and exceptions/],
    ['an unknown key of a rule', rule('parameters: {}\nsverity: error'), /unrecognized key 'sverity'/],
    [
      'an unknown severity',
      rule('parameters: {}\nseverity: fatal'),
      /expects a match for Enum\['error', 'warning'\], got 'fatal'/,
    ],
    ['a type that is none', rule("parameters: {}\ntype: '*'"), /entry 'type' expects a .*Pattern/],
    ['no message', 'rules: { a: { parameters: {} } }', /expects a value for key 'message'/],
    ['a name that nobody can say', schema('{}').replace('a:', "'A b':"), /expects a match for Pattern/],
    [
      'a rule without a test',
      rule('type: File'),
      /The rule 'a' in .* has no test\nSet parameters or resource to a JSON Schema/,
    ],
    [
      'two tests',
      rule('parameters: {}\nfunction: a::b'),
      /has parameters and function, but only one of them is allowed/,
    ],
    ['broken YAML', 'rules: [', /Could not read the policies in .*a\.yaml: /],
    ['an alias', 'rules: &a { }\nexceptions: *a', /: Unknown alias: a\nPolicies cannot contain YAML aliases/],
    ['an object', 'rules: !ruby/object:Object {}', /Tried to load unspecified class: Object/],
    [
      'an exception from nothing',
      exceptionOf('').replace('rule: a', 'rule: aa'),
      /unknown rule 'aa'\nDid you mean 'a'/,
    ],
    [
      'an exception without an end',
      exceptionOf('').replace('until: 2026-06-30', 'nodes: x'),
      /expects a value for key 'until'/,
    ],
    [
      'an exception without a reason',
      exceptionOf('').replace('reason: r', 'nodes: x'),
      /expects a value for key 'reason'/,
    ],
    ['no date', exceptionOf('').replace('2026-06-30', "'soon'"), /has an invalid end date 'soon'\nGive the last day/],
    [
      'a day that the calendar has not',
      exceptionOf('').replace('2026-06-30', "'2026-06-31'"),
      /has an invalid end date/,
    ],
    ['a time', exceptionOf('').replace('2026-06-30', '2026-06-30T10:00:00Z'), /has an invalid end date/],
    ['a pattern that is too long', exceptionOf(`resource: ${'x'.repeat(5000)}`), /exceeds the limit of 4096/],
  ])('refuse %s', (_, text, words) => {
    expect(inFile(text)).toMatch(words)
  })

  it('refuse a rule that is in two of them', () => {
    const files = { 'policies/a.yaml': schema('{}'), 'policies/b.yaml': schema('true') }
    expect(problem(files)).toMatch(/The rule 'a' in .*b\.yaml also exists in .*a\.yaml/)
  })

  it('are bounded', () => {
    const many = Array.from({ length: 1001 }, (_, at) => `  r${at}: { message: m, parameters: true }`)
    expect(inFile(`rules:\n${many.join('\n')}`)).toBe(
      'The policies in /code/production/policies/a.yaml have more than 1000 rules',
    )
    expect(inFile(`rules:\n${many.slice(1).join('\n')}`)).toBeUndefined()
    const halves = {
      'policies/a.yaml': `rules:\n${many.slice(500).join('\n')}`,
      'policies/b.yaml': `rules:\n${many.slice(0, 500).join('\n')}`,
    }
    expect(problem(halves)).toBe('The policies in /code/production/policies have more than 1000 rules')
    expect(inFile(`# ${'x'.repeat(1024 * 1024)}`)).toMatch(/a\.yaml have more than 1048576 bytes/)
  })
})

describe('JSON Schemas of rules', () => {
  it.each([
    [
      'an unknown keyword',
      '{ patern: x }',
      `${cannot('unknown keyword: "patern"')}\nUse the keywords of JSON Schema 2020-12, except format.`,
    ],
    ['a format', '{ properties: { a: { format: email } } }', /unknown format "email"/],
    ['a wrong keyword', '{ properties: [] }', cannot('schema is invalid: data/properties must be object')],
    [
      'a remote $ref',
      "{ $ref: 'https://example.com/a.json' }",
      cannot("the $ref 'https://example.com/a.json' points outside the schema; external schemas are not fetched"),
    ],
    ['a $ref to a file', "{ $ref: 'file:///etc/passwd' }", /points outside the schema/],
    ['a $ref to the drafts', "{ $ref: 'https://json-schema.org/draft/2020-12/schema' }", /points outside the schema/],
    ['a $ref to nothing', "{ $ref: '#/$defs/a' }", cannot("the $ref '#/$defs/a' has no target")],
    ['a $ref to what objects inherit', "{ $defs: {}, $ref: '#/$defs/constructor' }", /has no target/],
    ['a $ref into itself', "{ $ref: '#' }", cannot('it contains a recursive $ref')],
    [
      'a circle',
      "{ $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } }",
      /contains a recursive \$ref/,
    ],
    ['an $id', "{ $id: 'https://example.com/' }", cannot('$id is not supported')],
    ['an anchor', '{ $defs: { a: { $anchor: a } } }', cannot('$anchor is not supported')],
    ['a dynamic $ref', "{ $dynamicRef: '#a' }", cannot('$dynamicRef is not supported')],
    ['a promise', '{ $async: true }', cannot('$async is not supported')],
    ['another draft', "{ $schema: 'http://json-schema.org/draft-07/schema#' }", /its \$schema is not https:/],
    ['references that multiply', doubling(16), /has more than 5000 parts/],
    ['deep nesting', `${'{ not: '.repeat(70)}{}${' }'.repeat(70)}`, /nested more than 64 levels deep/],
    ['lookaround', "{ properties: { a: { pattern: '(?=a)a' } } }", /lookaround is not supported/],
    ['a backreference', "{ patternProperties: { '(a)\\1': true } }", /backreferences are not supported/],
    ['a pattern that stands for much', "{ properties: { a: { pattern: '((a{100}){100}){100}' } } }", /cannot be used/],
    ['code in a name', '{ properties: { "a\'];process.exit(3);[\'": { patern: 1 } } }', /unknown keyword/],
  ])('refuse %s', (_, text, words) => {
    const said = inFile(schema(text))
    if (typeof words === 'string') expect(said).toBe(words)
    else expect(said).toMatch(words)
  })

  it.each([
    ['true', 'true'],
    ['its own draft', "{ $schema: 'https://json-schema.org/draft/2020-12/schema' }"],
    ['references that are used again', doubling(8)],
    ['a property called $ref', '{ properties: { $ref: { type: string } } }'],
    ['escaped pointers', "{ $defs: { 'a/b~c': {} }, $ref: '#/$defs/a~1b~0c' }"],
  ])('take %s', (_, text) => {
    expect(inFile(schema(text))).toBeUndefined()
  })
})

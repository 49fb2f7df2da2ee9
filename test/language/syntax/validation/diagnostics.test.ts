import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import { getLineAndColumn } from '../../../../src/base/source.ts'
import { parseSource } from '../../../../src/language/syntax/parser/parser.ts'
import {
  parseAndValidate,
  type ValidationOptions,
  validateProgram,
} from '../../../../src/language/syntax/validation/validate.ts'
import { recordedCases } from '../../recorded.ts'

function found(code: string, epp = false, options: ValidationOptions & { file?: string } = {}): unknown {
  try {
    const { program } = parseSource({ file: options.file, text: code }, { epp, tasks: options.tasks })
    return validateProgram(program, options).map(({ severity, code, message, span }) => {
      const { line, column } = getLineAndColumn(span!.source, span!.start)
      return [severity, code, message, line, column]
    })
  } catch (error) {
    if (error instanceof PuppetError) return error.message
    throw error
  }
}

for (const [family, cases] of recordedCases(import.meta.filename, { check: true }))
  describe(family, () => {
    it.each(cases.filter(({ crash }) => crash === undefined))('$code', ({ code, epp, found: wanted, error }) => {
      expect(found(code, epp)).toEqual(error ?? wanted)
    })
  })

describe('in a module', () => {
  const messages = (code: string, moduleFile: string) =>
    (found(code, false, { moduleFile, file: `/m/${moduleFile}` }) as string[][]).map(([, , message]) => message)

  it.each([
    ['class ntp { }', 'ntp/manifests/init.pp', []],
    ['class ntp::a::b { }', 'ntp/manifests/a/b.pp', []],
    [
      'class ntp::c { }',
      'ntp/manifests/a/b.pp',
      ["Unacceptable location. The name 'ntp::c' is unacceptable in file '/m/ntp/manifests/a/b.pp'"],
    ],
    [
      'class ntp { }',
      'ntp/lib/init.pp',
      ["Unacceptable location. The name 'ntp' is unacceptable in file '/m/ntp/lib/init.pp'"],
    ],
    [
      'notice(1)',
      'ntp/manifests/init.pp',
      ['This Function Call is unacceptable as a top level construct in this location'],
    ],
    [
      'node a { }',
      'ntp/manifests/init.pp',
      ['This Node Definition is unacceptable as a top level construct in this location'],
    ],
    ['# nothing', 'ntp/manifests/init.pp', []],
  ])('%s in %s', (code, file, wanted) => {
    expect(messages(code, file)).toEqual(wanted)
  })
})

describe('in plans', () => {
  it('refuses catalogs outside of apply', () => {
    const code = 'plan p() { file { a: } apply(1) { file { b: } } }'
    expect(found(code, false, { tasks: true })).toEqual([
      [
        'error',
        'NOT_SUPPORTED_WHEN_SCRIPTING',
        'A Resource Statement is only available when compiling a catalog',
        1,
        12,
      ],
    ])
  })
})

describe('duplicate keys', () => {
  it.each([
    ['off', []],
    ['warning', ['warning']],
    ['error', ['error']],
  ] as const)('under strict=%s', (strict, severities) => {
    const all = found('$x = { a => 1, a => 2 }', false, { strict }) as string[][]
    expect(all.map(([severity]) => severity)).toEqual(severities)
  })
})

describe('regular expressions', () => {
  it.each([
    ['$x = /[/', 'premature end of char-class: /[/', 6],
    ["case 'a' { /(/: { } }", 'end pattern with unmatched parenthesis: /(/', 12],
    ['node /+/ { }', 'target of repeat operator is not specified: /+/', 6],
  ])('%s is refused where it is', (code, message, column) => {
    expect(found(code)).toEqual([['error', 'ILLEGAL_REGEXP', message, 1, column]])
  })
})

describe('the syntax that a heredoc names', () => {
  it('is checked, and JSON may have comments', () => {
    expect(found('$x = @(X:json)\n{"a": }\nX\n')).toMatch(
      /^Invalid produced text having syntax: 'json'. JSON syntax checker: Cannot parse invalid JSON string. ".*" \(line: 2, column: 1\)$/,
    )
    expect(found('$x = @(X:json)\n{"a": 1 /* one */, "b": "//"} // end\nX\n')).toEqual([])
  })
})

describe('parseAndValidate', () => {
  it('throws the error', () => {
    expect(() => parseAndValidate({ file: '/a.pp', text: '1\n$a = 2\nnotice 1' })).toThrow(
      'This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form) (file: /a.pp, line: 1, column: 1)',
    )
  })

  it('answers the warnings of strings and of the checker', () => {
    const { warnings } = parseAndValidate({ file: undefined, text: 'notice "a\\q"\nfunction plan() { }' })
    expect(warnings.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', "Unrecognized escape sequence '\\q'"],
      ['deprecation', "Use of future reserved word: 'plan'"],
    ])
  })
})

describe('a misspelled function of a statement', () => {
  it.each([
    ['inclde ntp\n$x = 1', "Did you mean 'include'?"],
    ['notce $x\n$y = 1', "Did you mean 'notice'?"],
    ['elephants run\n$x = 1', undefined],
  ])('%j has the hint %j', (text, hint) => {
    try {
      parseAndValidate({ file: undefined, text })
    } catch (error) {
      expect((error as PuppetError).diagnostic.hint).toBe(hint)
      return
    }
    throw new Error('accepted')
  })
})

import { describe, expect, it } from 'vitest'
import { parseHocon } from '../../../src/machine/settings/hocon/hocon.ts'

const parse = (text: string, env = {}) => JSON.parse(JSON.stringify(parseHocon({ file: 'auth.conf', text }, { env })))

describe('HOCON', () => {
  it.each([
    ['JSON', '{"a": [1, 2.5, -3e2, true, null, "x\\n"]}', { a: [1, 2.5, -300, true, null, 'x\n'] }],
    ['no braces around the whole', 'a = 1\nb: 2', { a: 1, b: 2 }],
    ['comments', '# one\na = 1 // two\n// three\n', { a: 1 }],
    [
      'commas that may be left out or trail',
      'a = [1\n2,\n3,]\nb = {x = 1, y = 2,}',
      { a: [1, 2, 3], b: { x: 1, y: 2 } },
    ],
    ['an object without a separator', 'a { b { c = 1 } }', { a: { b: { c: 1 } } }],
    ['paths', 'a.b.c = 1\na.b.d = 2\n"a.b" = 3', { a: { b: { c: 1, d: 2 } }, 'a.b': 3 }],
    [
      'bare words',
      'type = path\npath = /puppet/v3\nhost = a.b-c_d',
      { type: 'path', path: '/puppet/v3', host: 'a.b-c_d' },
    ],
    ['words side by side', 'a = one  two 3 "four"', { a: 'one  two 3 four' }],
    ['triple quotes', 'a = """x "y" \\ z"""', { a: 'x "y" \\ z' }],
    ['a later value winning', 'a = 1\na = 2', { a: 2 }],
    ['objects merging', 'a = {x = 1}\na = {y = 2}', { a: { x: 1, y: 2 } }],
    ['a scalar between two objects', 'a = {x = 1}\na = 1\na = {y = 2}', { a: { y: 2 } }],
    ['substitution', 'a = 1\nb = ${a}\nc = "v"${a}', { a: 1, b: 1, c: 'v1' }],
    ['substitution of what comes later', 'b = ${a.x}\na { x = 1 }', { b: 1, a: { x: 1 } }],
    ['substitution beside', 'a { x = 1, y = ${a.x} }', { a: { x: 1, y: 1 } }],
    ['optional substitution', 'a = ${?nope}\nb = x${?nope}', { b: 'x' }],
    ['substitution of itself', 'a = [1]\na = ${a} [2]', { a: [1, 2] }],
    ['appending after an array', 'a = [1]\nb { c += 2 }', { a: [1], b: { c: [2] } }],
    ['appending', 'a = [1]\na += 2\nb += 1', { a: [1, 2], b: [1] }],
    ['objects joined', 'a = {x = 1}\nb = ${a} {y = 2}', { a: { x: 1 }, b: { x: 1, y: 2 } }],
    ['an empty text', '', {}],
    ['Windows line ends', 'a = 1\r\nb = 2\r\n', { a: 1, b: 2 }],
    ['a key that is special in JavaScript', '__proto__ = 1', JSON.parse('{"__proto__": 1}')],
  ])('reads %s', (_, text, expected) => expect(parse(text)).toEqual(expected))

  it('leaves includes out where it is told to', () => {
    const text = 'include "x.conf"\na { include "y", b = 1 }\n"include" = 2\nincludes = 3'
    const read = parseHocon({ file: 'data.conf', text }, { includes: 'left out' })
    expect(JSON.parse(JSON.stringify(read))).toEqual({ a: { b: 1 }, include: 2, includes: 3 })
  })

  it('falls back to the environment', () => expect(parse('a = ${HOME}', { HOME: '/root' })).toEqual({ a: '/root' }))

  it.each([
    ['a = ', 'Expected a value but found the end of the file (file: auth.conf, line: 1, column: 5)'],
    ['a {\n b = 1', "Expected '}' but found the end of the file (file: auth.conf, line: 2, column: 7)"],
    ['a = [1 2', "Expected ']' but found the end of the file (file: auth.conf, line: 1, column: 9)"],
    ['a 1', "Expected ':', '=' or '{' but found '1' (file: auth.conf, line: 1, column: 3)"],
    ['a = "x', `Expected the end of a string but found '"' (file: auth.conf, line: 1, column: 5)`],
    [
      'a = """x" ""\nb = "c"',
      'Expected the end of a string but found the end of the file (file: auth.conf, line: 2, column: 8)',
    ],
    ['a = 1 }', "Expected the end of the file but found '}' (file: auth.conf, line: 1, column: 7)"],
    ['include "x"', 'include is not supported here (file: auth.conf, line: 1, column: 1)'],
    ['a = 1\ninclude file("/x")', 'include file() is not supported here (file: auth.conf, line: 2, column: 1)'],
    ...['a = [{b += 1}]', 'a += {b += 1}', 'a = [[{b {c += 1}}]]'].map((text) => [
      text,
      'Due to current limitations of the config parser, += does not work nested inside a list (file: auth.conf, line: 1, column: ',
    ]),
    ['a = ${b}', 'Could not resolve substitution to a value: ${b} (file: auth.conf, line: 1, column: 5)'],
    ['a = [1] {b = 1}', 'Cannot join an array with an object (file: auth.conf, line: 1, column: 5)'],
    ['a = '.padEnd(1000, '['), 'Objects and arrays are nested too deeply (file: auth.conf, line: 1, column: 205)'],
  ])('refuses %j', (text, message) => expect(() => parse(text)).toThrow(message))

  it('adds to what was said before as often as it likes', () => {
    const thousand = Array.from({ length: 300 }, (_, index) => index)
    expect(parse(thousand.map((each) => `a += ${each}`).join('\n'))).toEqual({ a: thousand })
  })

  it('merges what merging made, without a change to what others hold', () => {
    const text = 'a { x = 1 }\nb = ${a}\na { y = 2 }\nc = ${a} { z = 3 }\na { w { v = 4 } }\na { w { u = 5 } }'
    const all = { x: 1, y: 2, w: { v: 4, u: 5 } }
    expect(parse(text)).toEqual({ a: all, b: all, c: { ...all, z: 3 } })
  })

  it.each([
    ['values that double', 'a0 = x\n', (n: number) => `a${n + 1} = \${a${n}}\${a${n}}`],
    ['nothing that doubles', '', (n: number) => `a${n + 1} = \${?a${n}}\${?a${n}}`],
    ['arrays that double', 'a0 = [1]\n', (n: number) => `a${n + 1} = \${a${n}} \${a${n}}`],
  ])('refuses %s', (_, first, line) => {
    const text = first + Array.from({ length: 60 }, (_, index) => line(index)).join('\n')
    expect(() => parse(text)).toThrow('Substitutions expand to too many values')
  })

  it.each([
    ['a path', `${'a.'.repeat(5000)}a = 1`],
    ['substitutions', Array.from({ length: 5000 }, (_, index) => `a${index} = [\${?a${index + 1}}]`).join('\n')],
  ])('refuses %s without end', (_, text) => expect(() => parse(text)).toThrow('nested too deeply'))

  it('refuses a circle', () => expect(() => parse('a = ${b}\nb = ${a}')).toThrow('Could not resolve substitution'))
})

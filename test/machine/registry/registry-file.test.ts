import { expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import {
  decodeRegistryData,
  encodeDword,
  encodeQword,
  encodeRegistryText,
  encodeRegistryTexts,
  registryTypes,
} from '../../../src/machine/registry/registry-data.ts'
import {
  formatRegistryFile,
  RegistryFileParser,
  type RegistryKey,
} from '../../../src/machine/registry/registry-file.ts'
import { fc } from '../../support/properties.ts'

function parse(text: string): readonly RegistryKey[] {
  const keys: RegistryKey[] = []
  const parser = new RegistryFileParser((key) => keys.push(key))
  for (const line of text.split('\n')) parser.readLine(line.replace(/\r$/, ''))
  parser.end()
  return keys
}

const parseValue = (line: string) =>
  parse(`\u{feff}Windows Registry Editor Version 5.00\r\n\r\n[HKEY_USERS\\x]\r\n${line}\r\n`)[0]?.values[0]

const { string, expandableString, binary, dword, qword, strings, none } = registryTypes

it.each([
  ['"a"="b"', { name: 'a', type: string }, 'b'],
  ['@="c:\\\\x \\"y\\""', { name: '', type: string }, 'c:\\x "y"'],
  ['"a\\\\b \\"q\\" = [x]"="v"', { name: 'a\\b "q" = [x]', type: string }, 'v'],
  ['"two"="one\r\ntwo\r\n\r\n[three]"', { name: 'two', type: string }, 'one\r\ntwo\r\n\r\n[three]'],
  ['"wine"="one\\r\\ntwo\\\\n"', { name: 'wine', type: string }, 'one\r\ntwo\\n'],
  ['"d"=dword:8000000a', { name: 'd', type: dword }, 0x8000_000an],
  ['"q"=hex(b):ff,00,00,00,00,00,00,80', { name: 'q', type: qword }, 0x8000_0000_0000_00ffn],
  ['"b"=hex:01,\\\r\n  02,\\\r\n  03', { name: 'b', type: binary }, Buffer.from([1, 2, 3])],
  ['"n"=hex(0):', { name: 'n', type: none }, Buffer.alloc(0)],
  ['"m"=hex(7):61,00,00,00,62,00,20,00,63,00,00,00,00,00', { name: 'm', type: strings }, ['a', 'b c']],
  ['"e"=hex(2):25,00,41,00,25,00,00,00', { name: 'e', type: expandableString }, '%A%'],
  ['"odd"=hex(1):61,00,62', { name: 'odd', type: string }, 'a'],
  ['"short"=hex(4):01', { name: 'short', type: dword }, undefined],
  ['"other"=hex(20000):01', { name: 'other', type: 0x2_0000 }, undefined],
])('reads %j', (line, expected, data) => {
  const value = parseValue(line)
  expect(value).toMatchObject(expected)
  expect(value && decodeRegistryData(value)).toEqual(data)
})

it.each(['nonsense', '"a', '"a"', '"a"=', '"a"=dword:x', '"a"=hex:0', '"a"=hex:zz', '"a"="b', '[x'])(
  'rejects %j',
  (line) => {
    expect(() => parseValue(line)).toThrow('the registry key')
  },
)

it('keeps the order of keys, and brackets in their names', () => {
  const keys = parse('[HKEY_USERS\\a ]b]\n"x"="1"\n\n[HKEY_USERS\\a ]b\\c]\n\n')
  expect(keys.map(({ path, values }) => [path, values.length])).toEqual([
    ['HKEY_USERS\\a ]b', 1],
    ['HKEY_USERS\\a ]b\\c', 0],
  ])
})

it('writes what reg.exe of Wine imports', () => {
  const file = formatRegistryFile([
    {
      key: 'HKEY_USERS\\ü',
      removedValues: ['old', ''],
      values: [
        { name: 'a"\\', type: string, data: encodeRegistryText('x') },
        { name: '', type: binary, data: Buffer.alloc(27, 7) },
        { name: 'm', type: strings, data: encodeRegistryTexts(['a', 'b']) },
        { name: 'd', type: dword, data: encodeDword(-1n) },
        { name: 'q', type: qword, data: encodeQword(258n) },
      ],
    },
  ])
  expect(file.toString('utf16le')).toBe(
    [
      '\u{feff}Windows Registry Editor Version 5.00',
      '',
      '[HKEY_USERS\\ü]',
      '"old"=-',
      '@=-',
      '"a\\"\\\\"=hex(1):78,00,00,00',
      `@=hex:${Array(25).fill('07').join(',')},\\`,
      '  07,07',
      '"m"=hex(7):61,00,00,00,62,00,00,00,00,00',
      '"d"=hex(4):ff,ff,ff,ff',
      '"q"=hex(b):02,01,00,00,00,00,00,00',
      '',
      '',
    ].join('\r\n'),
  )
})

it.each(['a\nb', 'a\0', '\r'])('rejects the name %j, which could add lines to the file', (name) => {
  const value = { name, type: string, data: Buffer.alloc(0) }
  expect(() => formatRegistryFile([{ key: 'HKEY_USERS\\x', values: [value] }])).toThrow('control character')
  expect(() => formatRegistryFile([{ key: `HKEY_USERS\\${name}` }])).toThrow('control character')
})

it('reads every value that it writes', () => {
  const name = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0-\x1f]/.test(text))
  const value = fc.record({ name, type: fc.nat({ max: 0xff_ffff }), data: fc.uint8Array({ maxLength: 200 }) })
  fc.assert(
    fc.property(name, fc.array(value), (key, values) => {
      const path = `HKEY_USERS\\${key}`
      const given = values.map((each) => ({ ...each, data: Buffer.from(each.data) }))
      expect(parse(formatRegistryFile([{ key: path, values: given }]).toString('utf16le'))).toEqual([
        { path, values: given },
      ])
    }),
  )
})

it('rejects or reads any text', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '"',
    '=',
    '\\',
    '\n',
    '@',
    'hex:',
    'hex(7):',
    'dword:',
    '01,',
    ',\\\n',
    'a',
    '-',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      try {
        parse(pieces.join(''))
      } catch (error) {
        if (!(error instanceof PuppetError)) throw error
      }
    }),
  )
})

it('reads a large value in linear time', () => {
  const line = `"a"="${'\\\\'.repeat(200_000)}"`
  expect(parseValue(line)?.data.length).toBe(400_002)
  const bytes = `"a"=hex:${'01,\\\n'.repeat(100_000)}02`
  expect(parseValue(bytes)?.data.length).toBe(100_001)
})

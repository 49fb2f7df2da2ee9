import { expect, it } from 'vitest'
import { toLiteral } from '../../../src/language/types/printing/text.ts'
import { worthOf } from '../../support/host.ts'

const type = `Object[{name => 'Note', parent => Annotation, attributes => {text => String}}]`

it.each([
  ['$a = [1]; [annotate($t, $a), annotate($t, $a, {text => x}).text, annotate($t, $a).text]', "[undef, 'x', 'x']"],
  ['$a = [1]; annotate($t, $a, {text => x}); [annotate($t, $a, clear).text, annotate($t, $a)]', "['x', undef]"],
  ['$a = [1]; annotate($t, $a) || { {text => y} }; annotate($t, $a) || { fail(no) }.text', "'y'"],
  ['$a = [1]; annotate($t, $a, {text => x}); annotate($t, [1])', 'undef'],
  ['annotate(Pcore, [1], {$t => {text => x}})', '[1]'],
])('%s', (code, value) => {
  expect(toLiteral(worthOf(`$t = ${type}\n${code.replaceAll('; ', '\n')}`))).toBe(value)
})

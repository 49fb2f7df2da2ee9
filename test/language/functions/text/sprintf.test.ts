import { expect, it } from 'vitest'
import { formatAsRuby } from '../../../../src/language/functions/text/sprintf.ts'
import { Float } from '../../../../src/language/values/float.ts'
import type { Value } from '../../../../src/language/values/value.ts'

/** By Ruby 3.1. */
it.each<readonly [format: string, value: Value, text: string]>([
  ['%x', -255, '..f01'],
  ['%08b', -5, '..111011'],
  ['%.6b', -16, '..10000'],
  ['%11.6x', -8, '     ..fff8'],
  ['%#11.3x', -8, '     0x..f8'],
  ['%#.5o', -16, '..760'],
  ['%0#5.5o', 255, '00377'],
  ['%#o', 8, '010'],
  ['%+x', -255, '-ff'],
  ['% 06.0o', 0, '      '],
  ['%-.0d', 0, ''],
  ['%x', 123456789012345678n, '1b69b4ba630f34e'],
  ['%.0f', new Float(2.5), '2'],
  ['%.0f', new Float(3.5), '4'],
  ['%.0e', new Float(2.5), '2e+00'],
  ['%#9.0e', new Float(0.5), '   5.e-01'],
  ['%.2f', new Float(2.345), '2.34'],
  ['%.2f', new Float(4.835), '4.84'],
  ['%f', new Float(1e22), '10000000000000000000000.000000'],
  ['%g', new Float(1e20), '1e+20'],
  ['%#g', new Float(1), '1.00000'],
  ['%G', new Float(1e-10), '1E-10'],
  ['%a', new Float(1), '0x1p+0'],
  ['%08.3f', new Float(2.71), '0002.710'],
  ['%.3s', 'héllo', 'hél'],
  ['%-5c|', 65, 'A    |'],
])('%s of %s', (format, value, text) => {
  expect(formatAsRuby(format, [value])).toBe(text)
})

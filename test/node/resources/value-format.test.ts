import { expect, it } from 'vitest'
import { formatLogValue, formatValueCode } from '../../../src/node/resources/value-format.ts'

// Answers of Puppet::Parameter.format_value_for_display of Puppet 7.23.
it.each([
  [[{ a: 1 }], "[\n  {\n    'a' => 1\n  }]"],
  [[{ a: 1 }, { b: 2 }], "[\n  {\n    'a' => 1\n  },\n  {\n    'b' => 2\n  }]"],
  [['x', { a: 1 }, 'y', 'z', [1], [2], 3, 4], "['x',\n  {\n    'a' => 1\n  },\n  'y', 'z',\n  [1],\n  [2],\n  3, 4]"],
  [{ a: [{ b: 1 }] }, "{\n  'a' => [\n    {\n      'b' => 1\n    }]\n}"],
  [{ a: { b: [1, 2] } }, "{\n  'a' => {\n    'b' => [1, 2]\n  }\n}"],
  [[[1, 2], [{ a: 1 }]], "[\n  [1, 2],\n  [\n    {\n      'a' => 1\n    }]]"],
  [[{}], '[\n  {\n\n  }]'],
  [{}, '{\n\n}'],
  [[[]], '[\n  []]'],
  [{ a: [[1]] }, "{\n  'a' => [\n    [1]]\n}"],
  [[], '[]'],
])('formats %j as Puppet does', (value, expected) => {
  expect(formatLogValue(value)).toBe(expected)
})

it.each([
  [[{ 'C:\\': ["it's", 1, true] }], "[\n  {\n    'C:\\\\' => ['it\\'s', 1, true]\n  }]"],
  ['a\nb', "'a\nb'"],
])('formats %j as code, which can be read again', (value, expected) => {
  expect(formatValueCode(value)).toBe(expected)
})

import { expect, it } from 'vitest'
import { addErrorLocation } from '../../src/language/evaluator/evaluation-error.ts'
import { parseManifest } from '../../src/language/syntax/parser/parser.ts'

const tooDeep = 'Evaluation Error: Error while evaluating a Program, stack level too deep (line: 1, column: 1)'

// As Node 20, 24 and 26 throw them where the stack ends.
it.each([
  new RangeError('Maximum call stack size exceeded'),
  new SyntaxError('Invalid regular expression: /^[aeiou]/i: Maximum call stack size exceeded'),
  new SyntaxError('Invalid regular expression: /^[aeiou]/i: Stack overflow'),
  new SyntaxError('Invalid regular expression: /^[aeiou]/i: Regular expression too large'),
])('%s is a stack that is too deep', (error) => {
  const node = parseManifest({ file: undefined, text: 'f()' })
  expect((addErrorLocation(node, error) as Error).message).toBe(tooDeep)
  const other = new RangeError('Invalid array length')
  expect(addErrorLocation(node, other)).toBe(other)
})

import { expect, it } from 'vitest'
import { computeRubyFileDigest } from '../../../src/compiler/ruby/ruby-file-digest.ts'
import { treeOf } from '../../support/map-tree.ts'

const path = 'modules/m/lib/puppet/functions/m/f.rb'
const answer = (text: string) => computeRubyFileDigest(treeOf({ [path]: text }), path)
const code = 'Puppet::Functions.create_function(:f) do\n  def f(x)\n    x\n  end\nend\n'

it.each([
  ['a comment below', `${code}# below\n`, true],
  ['a comment on a line', code.replace('(x)\n', '(x) # x\n'), true],
  ['a comment that moves lines', `# above\n${code}`, false],
  ['other code', code.replace('    x\n', '    x + 1\n'), false],
])('is told of a file with %s', (_, text, isSame) => {
  expect(answer(text) === answer(code)).toBe(isSame)
})

it('goes by all bytes of code that may look at its own text', () => {
  const looking = code.replace('    x\n', '    File.read(__FILE__)\n')
  expect(answer(`${looking}# below\n`)).not.toBe(answer(looking))
})

it('is empty where there is no file', () => {
  expect(computeRubyFileDigest(treeOf({}), path)).toBe('')
})

import { expect, it } from 'vitest'
import { hideTexts } from '../../../../src/network/outside/secrets/hidden-texts.ts'

const secret = `a"b\\c/d~e f!(g)ü`

it.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ secret })],
  ['in JSON with escaped slashes', JSON.stringify({ secret }).replaceAll('/', '\\/')],
  ['in a form', new URLSearchParams({ secret }).toString()],
  [
    'in a form with lower case',
    new URLSearchParams({ secret }).toString().replace(/%../g, (each) => each.toLowerCase()),
  ],
  ['in a URL', encodeURIComponent(secret)],
])('hides a secret %s', (_, text) => {
  const shown = hideTexts(`before ${text} after`, ['', secret])
  expect(shown).toMatch(/^before .*\[redacted\].* after$/)
  expect(shown).not.toMatch(/d~e|d%7ee/i)
})

it('shows the start of a long text, and accepts a secret that is not Unicode', () => {
  expect(hideTexts('x'.repeat(900_000), ['\ud800'])).toHaveLength(1000)
})

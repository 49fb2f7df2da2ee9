import { describe, expect, it } from 'vitest'
import type { PuppetError } from '../../src/base/issue.ts'
import { configFrom } from '../../src/hiera/config.ts'

/** What is said of the text of a hiera.yaml that is refused. */
function refusal(text: string) {
  try {
    configFrom(text, '/hiera.yaml', 'environment')
  } catch (error) {
    return (error as PuppetError).diagnostic
  }
  throw new Error('it is not refused')
}

describe('a hiera.yaml of another version', () => {
  it.each([
    ['version: 3', 'hiera.yaml version 3 cannot be used in an environment', /'data_hash: yaml_data'.*':datadir:'/],
    [':backends: [yaml]', 'hiera.yaml version 3 cannot be used in an environment', /'version: 5'/],
    [
      'version: 4',
      'This runtime does not support hiera.yaml version 4',
      /'backend: yaml' becomes 'data_hash: yaml_data'/,
    ],
  ])('%j is refused, and told how it is written now', (text, message, hint) => {
    expect(refusal(text)).toMatchObject({ message, hint: expect.stringMatching(hint) })
  })

  it('is refused without advice where there is none', () => {
    expect(refusal('version: 9').hint).toBeUndefined()
  })
})

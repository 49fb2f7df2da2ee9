import { describe, expect, it } from 'vitest'
import { readDefaultRollout } from '../../../src/deploy/rollout/default-rollout.ts'

const read = (default_rollout: string, text?: string) =>
  readDefaultRollout({ default_rollout }, { readText: async () => text })

describe('the default plan', () => {
  it('is none without a file', async () => {
    expect(await read('')).toBeUndefined()
  })

  it('has the format of rollout.yaml', async () => {
    expect((await read('/etc/rollout.yaml', 'waves: [ { name: all } ]'))?.waves).toMatchObject([{ name: 'all' }])
  })

  it.each([
    ['waves: []', "the rollout requires at least one wave in 'waves' (file: /etc/rollout.yaml, line: 1, column: 1)"],
    [undefined, 'Could not read the default_rollout file /etc/rollout.yaml: the file does not exist'],
  ])('%j is an error', async (text, message) => {
    await expect(read('/etc/rollout.yaml', text)).rejects.toThrow(message)
  })

  it('names the reason why the file is not readable', async () => {
    const files = { readText: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })) }
    await expect(readDefaultRollout({ default_rollout: '/etc/rollout.yaml' }, files)).rejects.toThrow(
      'Could not read the default_rollout file /etc/rollout.yaml: Permission denied',
    )
  })
})

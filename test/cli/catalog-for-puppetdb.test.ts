import { describe, expect, it } from 'vitest'
import { readCommand } from '../../src/store/commands/read-command.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('pdb')
const words = ['catalog', 'compile', '--node', 'web1', '--confdir', folder, '--vardir', folder, '--certname', 'puppet']
const code = "file { '/a': path => '/b' } notify { 'n': require => File['/b'] }"

describe('plumb catalog compile --render-as', () => {
  it.each([
    ['pdb-v9', 9],
    ['pdb-v1', 3],
  ])('%s', async (format, version) => {
    const { out, status } = await runHere([...words, '--code', code, '--render-as', format])
    const payload = Buffer.from(out)
    const { payload: read } = readCommand({
      name: 'replace catalog',
      version,
      payload,
      received: '2026-11-23T00:00:00.000Z',
    })
    expect(status).toBe(0)
    expect(read).toMatchObject({ certname: 'web1', producer: version === 9 ? 'puppet' : null })
    expect(read).toHaveProperty(
      'edges',
      expect.arrayContaining([
        { source: { type: 'File', title: '/a' }, target: { type: 'Notify', title: 'n' }, relationship: 'required-by' },
      ]),
    )
  })

  it('stands beside --nodes as json only', async () => {
    const { err, status } = await runHere([
      'catalog',
      'compile',
      '--nodes',
      'x',
      '--confdir',
      folder,
      '--render-as',
      'pdb-v9',
    ])
    expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining('--render-as') })
  })
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasPuppet, withoutPuppet } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('filebucket')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const bucket = (...words: string[]) => runHere(['filebucket', ...words, ...places])

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('plumb filebucket', () => {
  it.skipIf(!hasPuppet)(`has the bucket that real Puppet has${withoutPuppet}`, async () => {
    const theirs = join(folder, 'theirs')
    mkdirSync(theirs)
    const path = fileOf('shared', 'shared')
    const real = (...words: string[]) => {
      const own = ['--confdir', theirs, '--vardir', theirs, '--basemodulepath', '/nonexistent', '--color=false']
      return String(spawnSync('puppet', ['filebucket', '--bucket', join(theirs, 'bucket'), ...words, ...own]).stdout)
    }
    const said = real('backup', path)
    const ours = ['--bucket', join(theirs, 'bucket')]
    expect((await bucket('backup', ...ours, path)).out).toBe(said)
    await bucket('backup', ...ours, fileOf('another', 'of ours'))
    expect((await bucket('list', ...ours)).out).toBe(real('list'))
  })
})

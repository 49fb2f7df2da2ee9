import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'

const dist = resolve(import.meta.dirname, '../../../dist')

let repository: ControlRepository
beforeEach(() => {
  repository = controlRepository()
})

/** A process that asks for each thing while it cannot start another, and then once more. */
const script = (lack: string) => `
import { closeSync, openSync } from 'node:fs'
import { readContent } from '${dist}/base/bytes/content.js'
import { openRepository } from '${dist}/code/git/repository-opener.js'
import { localCommands } from '${dist}/machine/system/commands.js'

const [, , bare, commit, small, large] = process.argv
const source = await openRepository(bare)
await localCommands.run(['true'])
const asks = {
  resolveRef: () => source.resolveRef('production'),
  readBlob: () => source.readBlob(small),
  readLarge: () => source.readBlob(large),
  openBlob: async () => (await readContent((await source.openBlob(large)).content)).length,
  listRefs: () => source.listRefs('refs/heads/'),
  listTree: () => source.listTree(commit),
  pin: () => source.pin(commit),
  open: () => openRepository(bare),
  run: () => localCommands.run(['true']),
}
const failed = async () => {
  const said = {}
  for (const [name, ask] of Object.entries(asks))
    said[name] = await ask().then(() => 'done', (error) => error.diagnostic?.code ?? error.message)
  return said
}
const asked = {}
${lack}
asked.before = await failed()
restore()
asked.after = await failed()
await source.close()
console.log(JSON.stringify(asked))
`

const lacks: Readonly<Record<string, string>> = {
  // The bridges to git that are open stay so: none is, for nothing has been asked.
  'the limit of descriptors is reached': `
    const held = []
    try { for (;;) held.push(openSync('/dev/null')) } catch {}
    const restore = () => held.forEach((each) => closeSync(each))`,
  'git has gone': `
    const path = process.env.PATH
    process.env.PATH = '/no-such-folder'
    const restore = () => { process.env.PATH = path }`,
}

describe('a process that cannot start another', () => {
  it.each(Object.entries(lacks))(
    'when %s goes on, says so to each who asks, and answers afterwards',
    async (_, lack) => {
      const commit = repository.push({ small: 'x', large: Buffer.alloc(2_000_000, 'x') })
      const oids = ['small', 'large'].map((path) => repository.gitBare('rev-parse', `${commit}:${path}`))
      const file = join(repository.folder, 'ask.mjs')
      writeFileSync(file, script(lack))
      const words = [process.execPath, file, repository.bare, commit, ...oids]
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'ulimit -n 200; exec "$@"', 'sh', ...words])
      const { before, after } = JSON.parse(stdout) as Record<string, Record<string, string>>
      const { open, run, ...git } = before!
      expect(new Set(Object.values(git))).toEqual(new Set(['GIT_NOT_STARTED']))
      // Where there is no git, a repository is read in JavaScript.
      expect(open).toBe(lack.includes('PATH') ? 'done' : 'GIT_NOT_STARTED')
      expect(run).toBe('COMMAND_NOT_STARTED')
      expect(new Set(Object.values(after!))).toEqual(new Set(['done']))
    },
  )
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('logdest-and-backup')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']

// The answers are those of Puppet 7.23.
it('writes the empty file of a resource of -e as JSON, and no place of a function call', async () => {
  const log = join(folder, 'log.jsonl')
  await runHere(['apply', '-e', "notify { 'x': } notice('called')", '--logdest', log, ...places])
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(parsed.find(({ message }) => message === "defined 'message' as 'x'")).toMatchObject({ file: '', line: 1 })
  expect(Object.keys(parsed.find(({ message }) => message === 'called')!)).not.toContain('line')
})

it('does not back up a directory', async () => {
  const { status, err } = await runHere(['filebucket', 'backup', folder, '--bucket', join(folder, 'b'), ...places])
  expect(status).toBe(1)
  expect(err).toContain(`Error: Could not run: Could not back up ${folder}: Is a directory @ io_fread - ${folder}`)
})

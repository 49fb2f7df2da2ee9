import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../support/plumb.ts'

let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': 'notice(1)\n' })
  server = await startServer({ repository: repository.bare })
})
afterAll(async () => {
  await server?.stop()
})

/** The commands of a chapter of docs/deploying.md, with what stands behind them. */
function commandsOf(chapter: string) {
  const text = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8')
  const [, body = ''] = new RegExp(`\n## ${chapter}\n([^]*?)(?=\n## |$)`).exec(text) ?? []
  return body
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim().split(/ +# /))
}

/** Runs a line of the document as a shell of the operator would. */
async function runLine(line: string) {
  const plumb = `plumb() { '${process.execPath}' '${plumbMain}' "$@" ${server.places.map((word) => `'${word}'`).join(' ')}; }`
  const here = line.replaceAll('/srv/code.git', repository.bare)
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' }
  return execa('sh', ['-c', `${plumb}\n${here}`], { cwd: repository.work, env, reject: false, all: true })
}

it('what docs/deploying.md has to do without hooks does what it says', async () => {
  const good = repository.git('rev-parse', 'HEAD')
  const lines = commandsOf('Without hooks')
  writeFileSync(join(repository.work, 'manifests/site.pp'), 'notice(1,,)\n')
  repository.git('commit', '--quiet', '--all', '--message', 'A slip')
  const bad = repository.git('rev-parse', 'HEAD')
  const said: string[] = []
  for (const [line = '', promise] of lines) {
    const { exitCode, all } = await runLine(line)
    expect([line, exitCode]).toEqual([line, promise?.startsWith('exits 1') ? 1 : 0])
    said.push(all)
    await expect.poll(() => server.output()).toContain(`Environment production cannot be served at ${bad}`)
  }
  const [pushed, status, deployed, checked] = said
  expect(pushed).not.toContain('remote:')
  for (const each of [status, deployed])
    expect(each).toMatch(new RegExp(`^production: ${good} since .*; ${bad} was rejected: Syntax error at .*site\\.pp`))
  expect(checked).toMatch(/^Error: Syntax error .*\(file: manifests\/site\.pp, line: \d+.*\n1 error in production/s)
})

import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from './support/scratch-folder.ts'

const root = resolve(import.meta.dirname, '..')

const suites = {
  starts: "import { execFile } from 'node:child_process'; it('', () => { try { execFile('cat') } catch {} })",
  listens: "import { createServer } from 'node:net'; it('', () => { try { createServer().listen(0) } catch {} })",
  gathers: `import { spawnSync } from 'node:child_process'
    it('', () => expect(spawnSync('ip', ['route']).error.code).toBe('ENOENT'))`,
  asks: "import { spawnSync } from 'node:child_process'; it('', () => expect(spawnSync('git', ['--version']).status).toBe(0))",
  calculates: "it('', () => expect(1 + 1).toBe(2))",
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

it('a suite that handles the error of the guard fails at its end, and no other suite of the process', () => {
  const folder = scratchFolder('guard')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const setupFiles = [join(root, 'test/support/in-process.ts')]
  const test = { include: ['*.test.ts'], setupFiles, isolate: false, pool: 'forks', maxWorkers: 1 }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })}`)
  for (const [name, text] of Object.entries(suites))
    writeFileSync(join(folder, `${name}.test.ts`), `import { expect, it } from 'vitest'\n${text}\n`)

  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json']
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  const { testResults } = JSON.parse(stdout) as Report
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => basename(name))
  expect(failed.sort(), stderr).toEqual(['listens.test.ts', 'starts.test.ts'])
  expect(testResults).toHaveLength(Object.keys(suites).length)
})

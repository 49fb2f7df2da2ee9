import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('scripts of threads are found in a build that is below a folder named src', async () => {
  const folder = join(scratchFolder('script'), 'src/plumbline/dist/base')
  mkdirSync(folder, { recursive: true })
  const text = readFileSync(resolve(import.meta.dirname, '../../../dist/base/program/script-path.js'), 'utf8')
  // Without the source map, which the test runner would look for.
  writeFileSync(join(folder, 'script-path.js'), text.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
  const { resolveScriptPath } = (await import(join(folder, 'script-path.js'))) as {
    resolveScriptPath: (url: URL) => string
  }
  const script = join(folder, '../compiler/workers/worker.js')
  expect(resolveScriptPath(pathToFileURL(script))).toBe(script)
})

import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('scripts of threads are found in a build that is below a folder named src', async () => {
  const folder = join(scratchFolder('script'), 'src/plumbline/dist/base')
  mkdirSync(folder, { recursive: true })
  copyFileSync(
    resolve(import.meta.dirname, '../../../dist/base/threads/script-path.js'),
    join(folder, 'script-path.js'),
  )
  const { resolveScriptPath } = (await import(join(folder, 'script-path.js'))) as {
    resolveScriptPath: (url: URL) => string
  }
  const script = join(folder, '../compiler/workers/worker.js')
  expect(resolveScriptPath(pathToFileURL(script))).toBe(script)
})

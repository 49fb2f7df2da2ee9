import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folders: string[] = []

// Registered when a test file imports this, and so done last: hooks go in reverse.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A folder of its own for a test file, without links in its path; taken away when the file is done, whatever became of its tests. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `plumb-${name}-`))
  folders.push(folder)
  return folder
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../dist/bundle/', import.meta.url))

describe('the code of an agent run', () => {
  it('is loaded from a few files, which other commands do not load', () => {
    const run = findFile('async function runAgentOnce(')
    const ofRun = listLoadedFiles(run)
    expect(ofRun).toContain(findFile('function beginShortRun('))
    expect(ofRun).toContain(findFile('const filePosix ='))
    expect(ofRun.length).toBeLessThan(8)
    expect(listLoadedFiles('process.cjs')).not.toContain(run)
    expect(listLoadedFiles('worker.cjs')).not.toContain(run)
  })
})

function findFile(code: string): string {
  const found = readdirSync(folder).filter((name) => name.endsWith('.cjs') && read(name).includes(code))
  expect(found, code).toHaveLength(1)
  return found[0]!
}

/** The file, and all that it loads when it is loaded. */
function listLoadedFiles(name: string): string[] {
  const found = new Set([name])
  for (const each of found)
    for (const [, other] of read(each).matchAll(/^(?:\(function .*\{)?(?:.*= )?require\("\.\/([^"]+)"\);$/gm))
      found.add(other!)
  return [...found]
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createExactObject, type ExactJson, getEntries, isExactObject } from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** What puppet-terminus-puppetdb makes of requests (terminus.rb). */
export function askTerminus(requests: readonly ExactJson[], modulepath = ''): readonly ExactJson[] {
  const folder = scratchFolder('terminus')
  const [input, output] = [join(folder, 'in.json'), join(folder, 'out.json')]
  writeFileSync(input, formatExactJson(requests))
  const script = join(import.meta.dirname, 'terminus.rb')
  const env = { ...process.env, TMPDIR: folder, TZ: 'UTC' }
  execFileSync('ruby', [script, modulepath, input, output], { stdio: ['ignore', 'ignore', 'pipe'], env })
  return readFileSync(output, 'utf8').trimEnd().split('\n').map(parseJson)
}

/** JSON in one form: keys in order, members without a value left out. */
export function canonical(json: ExactJson | undefined): ExactJson {
  if (Array.isArray(json)) return json.map(canonical)
  if (!isExactObject(json)) return json ?? null
  const entries = [...getEntries(json)].filter(([, value]) => value !== undefined)
  return createExactObject(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, canonical(value)]))
}

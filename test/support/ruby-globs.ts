import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const oracle = join(import.meta.dirname, '../oracle/globs.rb')

/** What Ruby's own File.fnmatch says of patterns and names, or Dir.glob finds in a folder. */
export function askRuby(cases: readonly (readonly [pattern: string, name?: string])[], folder?: string): unknown[] {
  const input = cases.map((each) => JSON.stringify(each)).join('\n')
  const output = execFileSync('ruby', [oracle, ...(folder === undefined ? [] : [folder])], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

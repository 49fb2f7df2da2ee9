import { throwIssue } from '../../../base/issue.ts'
import { unflattenMetadata } from './flat-metadata.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsMap, SopsMeter, type SopsNode } from './sops-tree.ts'

const prefix = 'sops_'

/**
 * Reads a dotenv file that SOPS has written: lines `KEY=value` with `\n` for line breaks, and its metadata in keys such
 * as `sops_age__list_0__map_enc`, which become the entry `sops`. Throws SOPS_SYNTAX, SOPS_LIMIT.
 */
export function parseDotenvTree(text: string): SopsMap {
  const meter = new SopsMeter()
  const entries: (readonly [string, SopsNode])[] = []
  const metadata: (readonly [path: string, value: SopsNode])[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const end = line.indexOf('=')
    if (end === -1) failDotenv('a line has no equals sign')
    const key = line.slice(0, end)
    const value = meter.within(() => createTextLeaf(line.slice(end + 1).replaceAll('\\n', '\n')))
    if (key.startsWith(prefix)) metadata.push([key.slice(prefix.length), value])
    else entries.push([key, value])
  }
  return { kind: 'map', entries: metadata.length === 0 ? entries : [...entries, ['sops', unflattenMetadata(metadata)]] }
}

function failDotenv(why: string): never {
  return throwIssue(sopsIssues.SOPS_SYNTAX, { what: 'dotenv of SOPS', why })
}

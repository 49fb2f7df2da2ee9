import { join } from 'node:path'
import { execaSync } from 'execa'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../src/base/json/json-text.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { type Case, requestOfPuppet, withFiles } from './case.ts'

/** What real Puppet makes of a case. */
export interface Answer {
  readonly catalog?: CatalogWire
  readonly error?: string
  readonly logs?: readonly (readonly [level: string, message: string])[]
}

/** Real Puppet's answers to `others`, then to cases; paths begin in the cases' folders. */
export function puppetAnswers(cases: readonly Case[], others: readonly ExactJson[] = []): Promise<readonly Answer[]> {
  const ask = async (index: number, requests: readonly ExactJson[], folders: readonly string[]): Promise<Answer[]> => {
    const each = cases[index]
    if (!each) return answersTo(requests, folders)
    return withFiles(each, (folder) =>
      ask(index + 1, [...requests, requestOfPuppet(each, folder)], [...folders, folder]),
    )
  }
  return ask(0, others, [])
}

function answersTo(requests: readonly ExactJson[], folders: readonly string[]): Answer[] {
  const { stdout } = execaSync('ruby', [join(import.meta.dirname, '../oracle/compile.rb')], {
    input: requests.map((request) => `${formatExactJson(request)}\n`).join(''),
    maxBuffer: 1e9,
  })
  return stdout
    .split('\n')
    .map((line) => parseJson(folders.reduce((text, folder) => text.replaceAll(folder, ''), line)) as Answer)
}

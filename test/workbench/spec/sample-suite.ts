import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa, type Result } from 'execa'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A module whose suite uses every matcher, with examples that fail. */
const source = resolve(import.meta.dirname, '../../fixtures/spec-suite')

/** The result of an example as programs compare it. */
export interface ExampleResult {
  readonly description: string
  readonly status: string
  /** The failure message, without backtraces, addresses and the scratch folder. */
  readonly message: string | undefined
}

/** Copies the module to a scratch folder. */
export function copySampleModule(): string {
  const folder = scratchFolder('sample')
  cpSync(source, folder, { recursive: true })
  return folder
}

/** Runs `plumb test` in a folder, with these environment variables in addition to ours. */
export function runPlumbTest(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return execa(process.execPath, [plumbMain, 'test', ...words], { cwd: folder, env, reject: false })
}

/** Reads the JSON that RSpec wrote. */
export function readResults(file: string): readonly ExampleResult[] {
  const { examples } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly examples: readonly {
      readonly full_description: string
      readonly status: string
      readonly exception?: { readonly message: string }
    }[]
  }
  return examples.map(({ full_description, status, exception }) => ({
    description: withoutAddresses(full_description),
    status,
    message: exception && withoutAddresses(exception.message),
  }))
}

function withoutAddresses(text: string): string {
  return text
    .replace(/\n\/.*$/s, '')
    .replaceAll(/0x[0-9a-f]{8,16}/g, '0x…')
    .replaceAll(/\/\S*\/plumb-sample-\w+\//g, '')
}

/** The path of a file with results in a folder. */
export function resultsFile(folder: string): string {
  return join(folder, 'results.json')
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type Diagnostic, defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import { findDefinitionProblems } from '../../compiler/code/definition-problems.ts'
import type { ParserOptions } from '../../language/syntax/parser/parser.ts'
import { parseAndValidate, type ValidationOptions } from '../../language/syntax/validation/validate.ts'
import { ValidationError } from '../../language/syntax/validation/validation-error.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { findFiles } from '../../workbench/lint/files/find-files.ts'
import type { Io } from '../command/command.ts'

const issues = defineIssues({
  FILES_MISSING: {
    text: (a: { files: readonly string[] }) =>
      `One or more file(s) specified did not exist:\n${a.files.map((file) => `   ${file}`).join('\n')}`,
  },
  NO_INPUT: { text: () => 'No input to parse given on command line or stdin' },
})

/** Reads a stream to its end as UTF-8. */
export async function readStream(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Throws FILES_MISSING with the files that do not exist. */
export function checkFilesExist(files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length > 0) throwIssue(issues.FILES_MISSING, { files: missing })
}

/** Reads standard input. Throws NO_INPUT if standard input is a terminal. */
export async function readStandardInput({ stdin }: Io): Promise<string> {
  if ((stdin as { isTTY?: boolean }).isTTY) throwIssue(issues.NO_INPUT, {})
  return readStream(stdin)
}

/**
 * Reads a file, or all manifests in a directory, except those in hidden folders and behind links to folders. Messages
 * contain the absolute paths.
 */
export function readManifests(path: string): Source[] {
  const full = resolve(path)
  if (!statSync(full).isDirectory()) return [{ file: full, text: readFileSync(full, 'utf8') }]
  return findFiles([full], { skipLinks: false })
    .filter((file) => !/\.ya?ml$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

/** Diagnostics of a source, and the error that ended its validation. */
export interface SourceCheck {
  readonly said: readonly Diagnostic[]
  readonly error: Diagnostic | undefined
}

/** Parses and validates a source, without printing or throwing. */
export function checkSource(source: Source, options: ParserOptions & ValidationOptions): SourceCheck {
  try {
    const { program, warnings } = parseAndValidate(source, options)
    const problems = findDefinitionProblems(program)
    const said = [...warnings, ...problems.filter(({ severity }) => severity !== 'error')]
    return { said, error: problems.find(({ severity }) => severity === 'error') }
  } catch (error) {
    if (error instanceof ValidationError) return { said: error.said, error: error.diagnostic }
    if (error instanceof PuppetError) return { said: [], error: error.diagnostic }
    throw error
  }
}

/** The path of a file relative to its directory in the modulepath; `undefined` for a file outside. */
export function findModuleFilePath(file: string, settings: ModuleSettings): string | undefined {
  const { basemodulepath, environmentpath, environment } = settings
  const folders = [...environmentpath.map((each) => join(each, environment, 'modules')), ...basemodulepath]
  const folder = folders.find((each) => file.startsWith(each + sep))
  return folder === undefined ? undefined : relative(folder, file)
}

/** Settings that determine the search for modules. */
export type ModuleSettings = Pick<Settings, 'basemodulepath' | 'environmentpath' | 'environment'>

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type Diagnostic, defineIssues, diagnose, fail, inOneLine, PuppetError } from '../base/issue.ts'
import type { Source } from '../base/source.ts'
import { type ParserOptions, parse } from '../language/parser/parser.ts'
import { type ValidationOptions, validate } from '../language/validation/validate.ts'
import type { Settings } from '../settings/settings.ts'
import type { Io } from './command.ts'

const issues = defineIssues({
  FILES_MISSING: {
    text: (a: { files: readonly string[] }) =>
      `One or more file(s) specified did not exist:\n${a.files.map((file) => `   ${file}`).join('\n')}`,
  },
  VALIDATION_GAVE_UP: {
    text: (a: { errors: number; warnings: number }) =>
      `Language validation logged ${a.errors} errors${a.warnings > 0 ? `, and ${a.warnings} warnings` : ''}. Giving up`,
  },
})

/** How many of a file are said; Puppet's defaults for `max_errors` and `max_warnings`. */
const maxSaid = 10

/** All of standard input. */
export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Throws, naming the files that are not there. */
export function refuseMissing(files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length > 0) fail(issues.FILES_MISSING, { files: missing })
}

/** A file, or all manifests in a folder, as sources that messages name in full. */
export function manifestsIn(path: string): Source[] {
  const full = resolve(path)
  if (!statSync(full).isDirectory()) return [{ file: full, text: readFileSync(full, 'utf8') }]
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pp'))
    .sort()
    .map((name) => ({ file: join(full, name), text: readFileSync(join(full, name), 'utf8') }))
}

/** Checks a source, says its warnings and, if there are several, its errors; answers the one error that stops it. */
export function check(source: Source, options: ParserOptions & ValidationOptions, io: Io): Diagnostic | undefined {
  let found: Diagnostic[]
  try {
    const { program, warnings } = parse(source, options)
    found = [...warnings, ...validate(program, options)]
  } catch (error) {
    if (error instanceof PuppetError) return error.diagnostic
    throw error
  }
  const errors = found.filter(({ severity }) => severity === 'error')
  const warnings = found.filter(({ severity }) => severity !== 'error')
  for (const each of warnings.slice(0, maxSaid)) io.err(`Warning: ${inOneLine(each)}\n`)
  if (errors.length <= 1) return errors[0]
  for (const each of errors.slice(0, maxSaid)) io.err(`Error: ${inOneLine(each)}\n`)
  const span = { source, start: 0, end: 0 }
  const counts = { errors: errors.length, warnings: warnings.length }
  return { ...diagnose(issues.VALIDATION_GAVE_UP, counts, span), wholeFile: true }
}

/** Whether an error sums up others, which were said. */
export function isSummary({ code }: Diagnostic): boolean {
  return code === issues.VALIDATION_GAVE_UP.code
}

/** The path of a file under the modulepath of the environment that settings name, if it is there. */
export function moduleFileOf(file: string, settings: ModuleSettings): string | undefined {
  const { basemodulepath, environmentpath, environment } = settings
  const folders = [...environmentpath.map((each) => join(each, environment, 'modules')), ...basemodulepath]
  const folder = folders.find((each) => file.startsWith(each + sep))
  return folder === undefined ? undefined : relative(folder, file)
}

export type ModuleSettings = Pick<Settings, 'basemodulepath' | 'environmentpath' | 'environment'>

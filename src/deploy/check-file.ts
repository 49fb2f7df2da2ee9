import { LineCounter, parseAllDocuments } from 'yaml'
import { type Diagnostic, defineIssues, diagnose, PuppetError } from '../base/issue.ts'
import type { Source } from '../base/source.ts'
import { readEnvironmentConf } from '../environments/environment-conf.ts'
import { parse } from '../language/parser/parser.ts'
import type { Settings } from '../settings/settings.ts'

const issues = defineIssues({
  DATA_SYNTAX: { text: (a: { what: string; why: string }) => `Could not parse ${a.what}: ${a.why}` },
  DATA_SHAPE: { text: (a: { what: string; expected: string }) => `${a.what} must be ${a.expected}` },
})

type Check = (source: Source, settings: Settings) => readonly Diagnostic[]

/** By the end of the path; the first that fits. */
const checks: readonly (readonly [path: RegExp, check: Check])[] = [
  [/(?:^|\/)plans\/.*\.pp$/, (source) => parsed(() => parse(source, { tasks: true }).warnings)],
  [/\.pp$/, (source) => parsed(() => parse(source).warnings)],
  [/\.epp$/, (source) => parsed(() => parse(source, { epp: true }).warnings)],
  [/(?:^|\/)hiera\.yaml$/, (source) => [...yamlProblems(source), ...hieraShape(source)]],
  [/\.(?:yaml|yml|eyaml)$/, yamlProblems],
  [/(?:^|\/)metadata\.json$/, (source) => jsonProblems(source, true)],
  [/\.json$/, (source) => jsonProblems(source, false)],
  [/^environment\.conf$/, environmentConfProblems],
]

/**
 * Whether a path is code or data that a compilation reads: not what is only handed to nodes, nor a test's fixture, which
 * may be broken on purpose.
 */
export function isChecked(path: string): boolean {
  return !/(?:^|\/)(?:files|spec|fixtures|node_modules|\.[^/]+)\//.test(path) && checks.some(([end]) => end.test(path))
}

/** What is wrong with one file; nothing for a path that is not checked. */
export function checkFile(source: Source, settings: Settings): readonly Diagnostic[] {
  const [, check] = checks.find(([end]) => end.test(source.file ?? '')) ?? []
  return check?.(source, settings) ?? []
}

function parsed(work: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return work()
  } catch (error) {
    if (error instanceof PuppetError) return [error.diagnostic]
    throw error
  }
}

function yamlProblems(source: Source): readonly Diagnostic[] {
  const lines = new LineCounter()
  // Ruby's parser lets a later key win over an earlier one.
  const documents = parseAllDocuments(source.text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false })
  return [...documents]
    .flatMap(({ errors }) => errors)
    .map(({ message, pos: [start, end] }) =>
      diagnose(issues.DATA_SYNTAX, { what: 'YAML', why: message }, { source, start, end: Math.max(start, end) }),
    )
}

function hieraShape(source: Source): readonly Diagnostic[] {
  const [document] = parseAllDocuments(source.text, { uniqueKeys: false, prettyErrors: false })
  if (!document || document.errors.length > 0) return []
  const config = document.toJS() as { version?: unknown } | null
  const span = { source, start: 0, end: 0 }
  if (config === null || (typeof config === 'object' && config.version === 5)) return []
  return [diagnose(issues.DATA_SHAPE, { what: 'hiera.yaml', expected: "a hash with 'version: 5'" }, span)]
}

function jsonProblems(source: Source, isObject: boolean): readonly Diagnostic[] {
  try {
    const value = JSON.parse(source.text) as unknown
    if (!isObject || (typeof value === 'object' && value !== null && !Array.isArray(value))) return []
    return [diagnose(issues.DATA_SHAPE, { what: 'metadata.json', expected: 'an object' }, { source, start: 0, end: 0 })]
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    const start = position === undefined ? source.text.trimEnd().length : Number(position)
    const why = message.replace(/ at position \d+.*$/s, '').replace(/ in JSON$/, '')
    return [diagnose(issues.DATA_SYNTAX, { what: 'JSON', why }, { source, start, end: start })]
  }
}

function environmentConfProblems({ file, text }: Source, settings: Settings): readonly Diagnostic[] {
  return parsed(() => {
    const { warnings } = readEnvironmentConf({ file: file!, text }, settings.environment, settings)
    return warnings.map((message) => ({
      code: 'ENVIRONMENT_CONF',
      severity: 'warning',
      message,
      span: undefined,
      hint: undefined,
    }))
  })
}

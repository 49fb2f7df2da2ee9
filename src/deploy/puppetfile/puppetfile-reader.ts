import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { getLineAndColumn, type Source } from '../../base/source.ts'
import type { ModuleSources } from './allowed-sources.ts'
import { parseDeclarations } from './declarations.ts'
import { puppetfileIssues as issues } from './issues.ts'
import type { Puppetfile } from './module-declaration.ts'
import type { PuppetfileEvaluator } from './puppetfile-evaluator.ts'
import { addErrorLine, buildPuppetfile } from './puppetfile-modules.ts'
import { getEnvironmentRoot } from './puppetfile-root.ts'

/** Dependencies and input for reading a Puppetfile. */
export interface PuppetfileRequest {
  readonly evaluator: Pick<PuppetfileEvaluator, 'evaluate'>
  /** The setting `puppetfile_sources`. */
  readonly sources: ModuleSources
  /** Branch of the control repository; also the default name of the environment. */
  readonly branch: string
  readonly environment?: string
  /** The commit, in the evaluator's repository, whose files the Ruby code can read. */
  readonly commit?: string
  /** Names in the root folder of the control repository, which modules must not replace. */
  readonly present?: ReadonlySet<string>
  /** File name for messages. */
  readonly file?: string
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a Puppetfile: evaluates its Ruby code and validates the declarations. Reports the errors of
 * all modules together. Throws PUPPETFILE_…, SOURCE_…, or AggregateError of several.
 */
export async function readPuppetfile(bytes: Uint8Array, request: PuppetfileRequest): Promise<Puppetfile> {
  const { evaluator, sources, branch, environment = branch, commit, present, file = 'Puppetfile' } = request
  const source = decodePuppetfile(bytes, file)
  const answer = await evaluator.evaluate({
    ...{ text: source.text, environment, branch, commit },
    maxDeclarations: budgets.module.declarations.bound,
  })
  if ('error' in answer) throw toPuppetfileError(answer.error, source)
  try {
    return buildPuppetfile(parseDeclarations(answer.json), {
      source,
      sources,
      root: getEnvironmentRoot(environment),
      present,
    })
  } catch (error) {
    // An error without a line comes from a Puppetfile that tampered with the interpreter.
    throw error instanceof PuppetError ? addErrorLine(error, source, 1) : error
  }
}

function decodePuppetfile(bytes: Uint8Array, file: string): Source {
  const { bound } = budgets.module.puppetfile
  if (bytes.length > bound) throwIssue(issues.PUPPETFILE_TOO_MUCH, { of: `${bytes.length} bytes`, bound })
  try {
    return { file, text: decoder.decode(bytes) }
  } catch {
    return throwIssue(issues.PUPPETFILE_FAILED, { why: 'it is not UTF-8', kind: 'EncodingError' })
  }
}

interface Failure {
  readonly kind: string
  readonly message: string
  readonly line: number
  readonly column: number
}

function toPuppetfileError({ kind, message, line, column }: Failure, source: Source): unknown {
  const [why = ''] = message.split('\n')
  const [, name] = /^unrecognized declaration [`'](\w+)'/.exec(why) ?? []
  const located = addErrorLine(
    createPuppetError(issues.PUPPETFILE_FAILED, { why: why || kind, kind, name }),
    source,
    line,
  )
  const span = located instanceof PuppetError ? located.diagnostic.span : undefined
  if (!(located instanceof PuppetError) || !span || column <= 1) return located
  const start = Math.min(span.start + column - 1, span.end)
  const isThere = getLineAndColumn(source, start).line === line
  return isThere ? new PuppetError({ ...located.diagnostic, span: { ...span, start } }) : located
}

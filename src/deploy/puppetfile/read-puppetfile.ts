import { budgets } from '../../base/budgets/budgets.ts'
import { errorOf, fail, PuppetError } from '../../base/issue.ts'
import { positionOf, type Source } from '../../base/source.ts'
import { declarationsFrom } from './declarations.ts'
import type { Puppetfile } from './declared-module.ts'
import { atLine, declaredModules } from './declared-modules.ts'
import { puppetfileIssues as issues } from './issues.ts'
import type { ModuleSources } from './module-sources.ts'
import type { PuppetfileEvaluator } from './puppetfile-evaluator.ts'
import { rootOf } from './puppetfile-root.ts'

/** The parts with which a Puppetfile is read. */
export interface PuppetfileRequest {
  readonly evaluator: Pick<PuppetfileEvaluator, 'evaluate'>
  /** The setting `puppetfile_sources`. */
  readonly sources: ModuleSources
  /** The branch of the control repository; its environment is called so unless that is given. */
  readonly branch: string
  readonly environment?: string
  /** The commit whose files it sees, in the repository of the evaluator. */
  readonly commit?: string
  /** Names in the topmost folder of the control repository, which no module covers. */
  readonly present?: ReadonlySet<string>
  /** Its name in messages. */
  readonly file?: string
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a Puppetfile, which is Ruby: its words are evaluated, and what they say is checked. All modules that are wrong are
 * told together. Throws PUPPETFILE_…, SOURCE_…, or AggregateError of several.
 */
export async function readPuppetfile(bytes: Uint8Array, request: PuppetfileRequest): Promise<Puppetfile> {
  const { evaluator, sources, branch, environment = branch, commit, present, file = 'Puppetfile' } = request
  const source = sourceOf(bytes, file)
  const answer = await evaluator.evaluate({
    ...{ text: source.text, environment, branch, commit },
    maxDeclarations: budgets.module.declarations.bound,
  })
  if ('error' in answer) throw failureOf(answer.error, source)
  try {
    return declaredModules(declarationsFrom(answer.json), { source, sources, root: rootOf(environment), present })
  } catch (error) {
    // What has no line has come from a Puppetfile that wrote to the interpreter's own means.
    throw error instanceof PuppetError ? atLine(error, source, 1) : error
  }
}

function sourceOf(bytes: Uint8Array, file: string): Source {
  const { bound } = budgets.module.puppetfile
  if (bytes.length > bound) fail(issues.PUPPETFILE_TOO_MUCH, { of: `${bytes.length} bytes`, bound })
  try {
    return { file, text: decoder.decode(bytes) }
  } catch {
    return fail(issues.PUPPETFILE_FAILED, { why: 'it is no UTF-8', kind: 'EncodingError' })
  }
}

interface Failure {
  readonly kind: string
  readonly message: string
  readonly line: number
  readonly column: number
}

function failureOf({ kind, message, line, column }: Failure, source: Source): unknown {
  const [why = ''] = message.split('\n')
  const [, name] = /^unrecognized declaration [`'](\w+)'/.exec(why) ?? []
  const located = atLine(errorOf(issues.PUPPETFILE_FAILED, { why: why || kind, kind, name }), source, line)
  const span = located instanceof PuppetError ? located.diagnostic.span : undefined
  if (!(located instanceof PuppetError) || !span || column <= 1) return located
  const start = Math.min(span.start + column - 1, span.end)
  const isThere = positionOf(source, start).line === line
  return isThere ? new PuppetError({ ...located.diagnostic, span: { ...span, start } }) : located
}

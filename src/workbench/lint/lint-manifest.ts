import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import type { Check, Finding } from './checks/check.ts'
import { readControlComments, type Suppressions } from './control-comments.ts'
import { type CheckedFile, type CheckOptions, Manifest } from './manifest/manifest.ts'
import { SyntaxFault } from './manifest/syntax-fault.ts'
import { TokenIndex } from './manifest/token-index.ts'
import type { Problem } from './problem.ts'
import type { FindSemanticProblems } from './semantic-finding.ts'
import { LexerError, tokenize } from './tokens/lexer.ts'
import type { Token } from './tokens/token.ts'
import { TokenList } from './tokens/token-list.ts'

/** Options of a run. */
export interface LintOptions extends CheckOptions {
  /** The enabled checks, in order. */
  readonly checks: readonly Check[]
  /** Correct problems. */
  readonly fix?: boolean
  /** The current day, `YYYY-MM-DD`, which decides whether a suppression has expired. */
  readonly today: string
  /** Finds problems that need other files. */
  readonly findMore?: FindSemanticProblems | undefined
}

/** The problems of a manifest, and its corrected text. */
export interface LintResult {
  readonly problems: readonly Problem[]
  /** Undefined if nothing was to be corrected, or a syntax error of the manifest or of the correction prevents it. */
  readonly fixed: string | undefined
  /** Messages about control comments. */
  readonly warnings: readonly string[]
}

interface CheckResult {
  readonly check: string
  readonly finding: Finding
}

/** Checks a manifest, and corrects its problems if `fix` is set. */
export function lintManifest(file: CheckedFile, options: LintOptions): LintResult {
  let tokens: readonly Token[] = []
  const problems: Problem[] = []
  try {
    tokens = tokenize(file.text)
  } catch (error) {
    if (!(error instanceof LexerError)) throw error
    const { reason, line, column } = error
    const message = reason === undefined ? 'Syntax error' : `Syntax error (${reason})`
    problems.push({ kind: 'error', check: 'syntax', message, line, column })
  }
  const index = new TokenIndex(tokens)
  const suppressions = readControlComments(index, options.today)
  const warnings = [...suppressions.warnings]
  const results = runChecks(new Manifest(file, index, options), options.checks)
  if (!Array.isArray(results)) return { problems: [results], fixed: undefined, warnings }
  const semantic = options.findMore?.(file.fullPath) ?? []
  results.push(...semantic.map((finding) => ({ check: finding.check, finding })))
  const list = options.fix ? createTokenList(tokens, file.text) : undefined
  if (options.fix && tokens.length > 0 && !list)
    warnings.push('the file is not corrected because a string or heredoc has no end')
  const toProblems = (corrected?: TokenList) => results.map((result) => toProblem(result, suppressions, corrected))
  const found = toProblems(list)
  const hasSyntaxError = [...problems, ...found].some(({ check }) => check === 'syntax')
  let fixed = !hasSyntaxError && found.some(({ kind }) => kind === 'fixed') ? list?.render() : undefined
  if (fixed !== undefined && breaksSyntax(file, fixed)) {
    fixed = undefined
    warnings.push('the file is not corrected because the result would have a syntax error')
    problems.push(...toProblems())
  } else problems.push(...found)
  for (const { check, until, commentLine } of suppressions.expired) {
    const message = `the comment that ignores ${check} expired on ${until}`
    problems.push({ kind: 'warning', check: 'expired_ignore', message, line: commentLine, column: 1 })
  }
  return { problems, fixed, warnings }
}

/** True if the manifest parses and its correction does not. */
function breaksSyntax({ path, text }: CheckedFile, fixed: string): boolean {
  return fixed !== text && !parses(path, fixed) && parses(path, text)
}

function parses(path: string, text: string): boolean {
  // The manifests in the directory `plans` of a module are plans, in which `plan` and `apply` are keywords.
  const tasks = /(?:^|\/)plans\//.test(path)
  try {
    parseSource({ file: path, text }, { tasks })
    return true
  } catch (error) {
    if (error instanceof PuppetError) return false
    throw error
  }
}

/** The tokens to be corrected; undefined if they do not contain the whole text. */
function createTokenList(tokens: readonly Token[], text: string): TokenList | undefined {
  const list = new TokenList(tokens)
  return list.render() === text ? list : undefined
}

/** The findings of all checks; one problem if the manifest has a syntax error that the lexer accepts. */
function runChecks(manifest: Manifest, checks: readonly Check[]): CheckResult[] | Problem {
  const results: CheckResult[] = []
  const { bound } = budgets.lint.problems
  const add = (check: string, finding: Finding): void => {
    if (results.length === bound) throw new SyntaxFault(finding.at, `The manifest has more than ${bound} problems`)
    results.push({ check, finding })
  }
  try {
    for (const { name: check, check: run } of checks) run(manifest, (finding) => add(check, finding))
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    const { message, line, column } = error
    return { kind: 'error', check: 'syntax', message, line, column }
  }
  return results
}

function toProblem({ check, finding }: CheckResult, suppressions: Suppressions, list: TokenList | undefined): Problem {
  const { severity, message, isSyntaxError } = finding
  const { line, column } = finding.at
  if (isSyntaxError) return { kind: severity, check: 'syntax', message, line, column }
  const suppression = suppressions.find(check, line)
  if (suppression) return { kind: 'ignored', check, message, line, column, reason: suppression.reason }
  const isFixed = list !== undefined && finding.fix?.(list) === true
  return { kind: isFixed ? 'fixed' : severity, check, message, line, column }
}

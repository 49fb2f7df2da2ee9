import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver'
import { budgets } from '../../base/budgets/budgets.ts'
import { checkCodeInSteps } from '../code-checks/check-code.ts'
import { CheckedCode } from '../code-checks/code/checked-code.ts'
import { findErbVariables } from '../code-checks/code/erb-variables.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { semanticRules } from '../lint/checks/semantic-rules.ts'
import { readControlComments } from '../lint/control-comments.ts'
import { TokenIndex } from '../lint/manifest/token-index.ts'
import { type LintSettings, listEnabledSemanticChecks } from '../lint/options/lint-settings.ts'
import type { SemanticFinding } from '../lint/semantic-finding.ts'
import { LexerError, tokenize } from '../lint/tokens/lexer.ts'
import { getWordRange, sourceName } from './lint-problems.ts'
import { toPosition } from './positions.ts'

/** Names of code that has no effect, which editors show dimmed. */
const unnecessary: ReadonlySet<string> = new Set(['dead_branch', 'unused_parameter', 'unused_variable'])

/**
 * The semantic problems of an open document: a manifest, a template or a file of Hiera data. Yields between checks, so
 * that other requests are answered, and a newer text can cancel the work.
 */
export function* listSemanticDiagnostics(
  workspace: CodeWorkspace,
  path: string,
  settings: LintSettings,
): Generator<void, readonly Diagnostic[]> {
  const enabled = listEnabledSemanticChecks(settings)
  const text = workspace.text(path)
  if (enabled.size === 0 || text === undefined || text.length > budgets.workbench.dataFileCharacters.bound) return []
  const code = new CheckedCode(workspace, settings.topScopeVariables)
  if (path.endsWith('.erb')) return listErbDiagnostics(text, path, code, enabled)
  const findings = yield* checkCodeInSteps(path, code, enabled)
  if (findings.length === 0) return []
  const isIgnored = path.endsWith('.pp') ? readIgnored(text) : () => false
  return findings.filter((each) => !isIgnored(each)).map((each) => toDiagnostic(each, text))
}

function toDiagnostic({ check, severity, message, at }: SemanticFinding, text: string): Diagnostic {
  return {
    ...{ source: sourceName, code: check, message, range: getWordRange(text, at) },
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    ...(unnecessary.has(check) && { tags: [DiagnosticTag.Unnecessary] }),
  }
}

/** True for findings that control comments of a manifest suppress. */
function readIgnored(text: string): (finding: SemanticFinding) => boolean {
  try {
    const suppressions = readControlComments(new TokenIndex(tokenize(text)), new Date().toISOString().slice(0, 10))
    return ({ check, at }) => suppressions.find(check, at.line) !== undefined
  } catch (error) {
    if (error instanceof LexerError) return () => false
    throw error
  }
}

/** The variables that an ERB template reads and no caller sets, which the linter reports at the calls. */
function listErbDiagnostics(
  text: string,
  path: string,
  code: CheckedCode,
  enabled: ReadonlySet<string>,
): readonly Diagnostic[] {
  const check = 'unset_template_variable'
  const name = code.workspace.getTemplateName(path)
  if (name === undefined || !enabled.has(check)) return []
  const unset = new Set(code.templates.listUnset(name))
  const source = { file: path, text }
  return findErbVariables(text)
    .filter((each) => unset.has(each.name))
    .map((each) => ({
      ...{ source: sourceName, code: check, message: `'@${each.name}' is not set in this template` },
      severity: semanticRules.get(check)!.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      range: { start: toPosition(source, each.start), end: toPosition(source, each.start + each.name.length + 1) },
    }))
}

import { join } from 'node:path'
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Range,
  type TextEdit,
} from 'vscode-languageserver'
import { budgets } from '../../base/budgets/budgets.ts'
import type { SourcePosition } from '../../base/source.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import { allChecks } from '../lint/checks/all-checks.ts'
import type { Check } from '../lint/checks/check.ts'
import { lintManifest } from '../lint/lint-manifest.ts'
import { createLintSettings, type LintSettings, listEnabledChecks } from '../lint/options/lint-settings.ts'
import { applyRcFile } from '../lint/options/rc-file.ts'
import { toPosition, toUri } from './positions.ts'
import { listChosenChecks, type SemanticChoice } from './semantic-choice.ts'

/** Source of the linter's diagnostics. */
export const sourceName = 'plumb lint'

/**
 * Reads the linter's settings of a folder: its `.puppet-lint.rc` changes the checks of the editor's choice. An invalid
 * file has no effect.
 */
export async function readLintSettings(root: string, choice: SemanticChoice): Promise<LintSettings> {
  const settings = createEditorSettings(choice)
  const read = async (file: string) => {
    const bytes = await localFiles.readWithin(file, budgets.lint.rcFileBytes.bound).catch(() => undefined)
    return bytes?.toString('utf8')
  }
  const file = join(root, '.puppet-lint.rc')
  const text = await read(file)
  if (text === undefined) return settings
  return applyRcFile(file, text, settings, read).then(
    () => settings,
    () => createEditorSettings(choice),
  )
}

function createEditorSettings(choice: SemanticChoice): LintSettings {
  const settings = createLintSettings({})
  for (const name of listChosenChecks(choice)) settings.enabled.add(name)
  return settings
}

/** The problems of a manifest that parses. */
export function listLintDiagnostics(file: CodeFile, settings: LintSettings): readonly Diagnostic[] {
  if (!file.program || !file.path.endsWith('.pp')) return []
  const { problems } = lint(file, settings, listEnabledChecks(settings), false)
  return problems
    .filter(({ kind, check }) => (kind === 'warning' || kind === 'error') && check !== 'syntax')
    .map((problem) => ({
      ...{
        source: sourceName,
        code: problem.check,
        message: problem.message,
        range: getWordRange(file.source.text, problem),
      },
      severity: problem.kind === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    }))
}

// The folder of a module that a person edits seldom has the name of the module, so paths are compared without it.
function lint({ path, source }: CodeFile, settings: LintSettings, checks: readonly Check[], fix: boolean) {
  const { topScopeVariables } = settings
  const today = new Date().toISOString().slice(0, 10)
  return lintManifest(
    { path, fullPath: path, text: source.text },
    { checks, fix, relative: true, topScopeVariables, today },
  )
}

/** Largest number of characters of a word that is marked; V8 can fail on a repetition of millions of characters. */
const maxWord = 1000

/** The range of the word at a line and a column, counted from 1. */
export function getWordRange(text: string, { line, column }: SourcePosition): Range {
  const content = text.split('\n', line)[line - 1] ?? ''
  const start = Math.max(0, column - 1)
  const word = /^[\w:$]+/.exec(content.slice(start, start + maxWord))?.[0] ?? content.slice(start, start + 1)
  return { start: { line: line - 1, character: start }, end: { line: line - 1, character: start + word.length } }
}

/** Corrections of the problems in a range: one for each check that can correct the file, and one for all checks. */
export function listCorrections(
  file: CodeFile,
  settings: LintSettings,
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  const names = new Set(diagnostics.filter(({ source }) => source === sourceName).map(({ code }) => code))
  const single = allChecks
    .filter(({ name }) => names.has(name))
    .flatMap((check) =>
      toAction(file, settings, [check], `Correct ${check.name} in this file`, CodeActionKind.QuickFix),
    )
  const all = listEnabledChecks(settings)
  return [...single, ...toAction(file, settings, all, 'Correct all lint problems', CodeActionKind.SourceFixAll)]
}

function toAction(
  file: CodeFile,
  settings: LintSettings,
  checks: readonly Check[],
  title: string,
  kind: CodeActionKind,
): readonly CodeAction[] {
  const { fixed } = lint(file, settings, checks, true)
  if (fixed === undefined || fixed === file.source.text) return []
  return [{ title, kind, edit: { changes: { [toUri(file.path)]: [replaceText(file, fixed)] } } }]
}

/** The smallest single edit that turns the text of a file into another one. */
export function replaceText({ source }: CodeFile, newText: string): TextEdit {
  const { text } = source
  let start = 0
  while (start < text.length && text[start] === newText[start]) start++
  let end = 0
  const most = Math.min(text.length, newText.length) - start
  while (end < most && text[text.length - 1 - end] === newText[newText.length - 1 - end]) end++
  return {
    range: { start: toPosition(source, start), end: toPosition(source, text.length - end) },
    newText: newText.slice(start, newText.length - end),
  }
}

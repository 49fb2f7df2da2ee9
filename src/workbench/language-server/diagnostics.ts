import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver'
import type { Diagnostic as PuppetDiagnostic } from '../../base/issue.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import { toRange } from './positions.ts'

const severities: Readonly<Record<PuppetDiagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  deprecation: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
}

/** Syntax errors, and findings of Puppet's validation. */
export function listDiagnostics({ diagnostics }: CodeFile): readonly Diagnostic[] {
  return toDiagnostics(diagnostics)
}

/** Errors and warnings with their hints; those without a place are at the start of the file. */
export function toDiagnostics(diagnostics: readonly PuppetDiagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(({ code, severity, message, span, hint }) => ({
    ...{ code, source: 'puppet', severity: severities[severity] },
    range: span ? toRange(span) : { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    message: hint === undefined ? message : `${message}\n${hint}`,
  }))
}

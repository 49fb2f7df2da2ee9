import type { Problem } from '../problem.ts'

/** A problem as a command of GitHub Actions, which annotates the file. */
export function formatGitHubAnnotation(path: string, { kind, line, column, message, check }: Problem): string {
  const level = kind === 'error' || kind === 'warning' ? kind : 'notice'
  return `\n::${level} file=${escapeProperty(path)},line=${line},col=${column}::${escapeData(message)} (check: ${check})\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

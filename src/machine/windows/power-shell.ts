import { getSystemProgram } from './system-programs.ts'

/** The PowerShell of Windows itself, which is part of each edition except Nano Server. */
export const powershell: string = getSystemProgram('WindowsPowerShell/v1.0/powershell.exe')

/**
 * The command line that runs a script without a profile and without questions. The script is encoded, so that no quotes are
 * needed.
 */
export function buildScriptCommand(script: string, ...options: readonly string[]): readonly [string, ...string[]] {
  const common = ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass']
  return [powershell, ...common, ...options, '-EncodedCommand', Buffer.from(script, 'utf16le').toString('base64')]
}

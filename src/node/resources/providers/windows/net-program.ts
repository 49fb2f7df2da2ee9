import type { CommandResult, System } from '../../../../machine/system/system.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'

/** Runs `net.exe`, without questions. Throws an error if it does not end in time. */
export async function runNet(system: System, words: readonly string[]): Promise<CommandResult> {
  const program = getSystemProgram('net.exe')
  const result = await runProviderProgram(system, [program, ...words], { timeout: accessTimeMs / 1000 })
  return result.timedOut ? failWithMessage(`Could not read or change accounts: ${formatTimeLimit(program)}`) : result
}

/** Runs `net.exe` for a change. Throws an error with its first line of output. */
export async function changeByNet(system: System, action: string, words: readonly string[]): Promise<void> {
  const { status, output } = await runNet(system, words)
  if (status === 0) return
  failWithMessage(`Could not ${action}: ${output.split(/\r?\n/).find((line) => line.trim() !== '') ?? status}`)
}

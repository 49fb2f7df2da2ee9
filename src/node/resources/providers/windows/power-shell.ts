import type { System } from '../../../../machine/system/system.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { powershell } from '../../../../machine/windows/power-shell.ts'
import { failWithMessage } from '../../issues.ts'
import { runProviderProgram } from '../../provider.ts'

/**
 * Runs a script of PowerShell, one line, in which `$v` has the values. The script and the values are written to the standard
 * input as Base64, so that no value is code and no process list shows a password. Throws an error with the message of an
 * exception, or if PowerShell does not end in time. Returns the lines of the output.
 */
export async function runPowerShell(
  system: System,
  action: string,
  script: string,
  values: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const json = Buffer.from(JSON.stringify(values)).toString('base64')
  const decode = `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${json}'))`
  const lines = [
    "$ErrorActionPreference = 'Stop'",
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    `try { $v = ConvertFrom-Json (${decode}); ${script} } catch { $_.Exception.GetBaseException().Message; exit 1 }`,
    'exit 0',
  ]
  const words = [powershell, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', '-']
  const options = { input: `${lines.join('\r\n')}\r\n`, timeout: accessTimeMs / 1000 }
  const { status, stdout, timedOut } = await runProviderProgram(system, words, options)
  if (timedOut) failWithMessage(`Could not ${action}: ${formatTimeLimit(powershell)}`)
  if (status !== 0) failWithMessage(`Could not ${action}: ${stdout.trim()}`)
  return stdout.split(/\r?\n/).filter((line) => line !== '')
}

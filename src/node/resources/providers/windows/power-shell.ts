import { toJsonRecord } from '../../../../base/json/json-checks.ts'
import type { System } from '../../../../machine/system/system.ts'
import { accessTimeMs, formatTimeLimit } from '../../../../machine/windows/limited-program.ts'
import { buildScriptCommand, powershell } from '../../../../machine/windows/power-shell.ts'
import { failWithMessage } from '../../issues.ts'

const timeLimit = { timeout: accessTimeMs / 1000 }

/**
 * Runs a script of PowerShell in which `$v` has the values. The script is constant, and the values are a line of its input:
 * Windows can write scripts to an event log that other users can read, and a process list shows command lines. Throws an
 * error with the message of an exception, or if PowerShell does not end in time. Returns the lines of the output.
 */
export async function runPowerShell(
  system: System,
  action: string,
  script: string,
  values: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const command = buildRequestScript(`$v = $request; $answer.lines = @(& { ${script} } | ForEach-Object { "$_" })`)
  const [response = {}] = await askPowerShell(system, command, [values])
  const { error, lines } = response
  if (error !== undefined) failWithMessage(`Could not ${action}: ${String(error).trim()}`)
  return (toResponseList(lines) ?? []).map(String).filter((line) => line !== '')
}

/** A request to a script, and the response of the script: JSON objects. A failed request has the response `error`. */
export type ScriptMessage = Readonly<Record<string, unknown>>

/**
 * The command of a script that responds to each line of its input, a request as JSON, with a line of JSON. In `body`, the
 * request is `$request`, and `$answer` is a hash table for the response. `functions` are defined once.
 */
export function buildRequestScript(body: string, functions = ''): readonly string[] {
  const script = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$out = New-Object IO.StreamWriter([Console]::OpenStandardOutput(), (New-Object Text.UTF8Encoding($false)))
${functions}
foreach ($line in $input) {
  $answer = @{}
  try {
    $request = ConvertFrom-Json $line
    ${body}
  } catch { $answer = @{ error = $_.Exception.GetBaseException().Message } }
  $out.WriteLine((ConvertTo-Json $answer -Compress -Depth 5))
}
$out.Flush()
`
  return buildScriptCommand(script, '-InputFormat', 'Text')
}

/**
 * Sends requests to a script of `buildRequestScript` with one start of PowerShell, and returns a response for each. The
 * requests are ASCII, because PowerShell reads them in the code page of the console.
 */
export async function askPowerShell(
  system: System,
  command: readonly string[],
  requests: readonly ScriptMessage[],
): Promise<readonly ScriptMessage[]> {
  const input = requests.map((request) => `${toAscii(JSON.stringify(request))}\n`).join('')
  const { status, stdout, stderr, timedOut } = await system.commands.run(command, { input, ...timeLimit })
  const lines = stdout.split(/\r?\n/).filter((line) => line.startsWith('{'))
  const responses = timedOut || status !== 0 || lines.length !== requests.length ? undefined : parseLines(lines)
  if (responses) return responses
  const why = timedOut ? formatTimeLimit(powershell) : stderr.trim().split('\n')[0]
  return requests.map(() => ({ error: why || `PowerShell gave no answer (status ${status})` }))
}

function parseLines(lines: readonly string[]): readonly ScriptMessage[] | undefined {
  try {
    return lines.map((line) => toJsonRecord(JSON.parse(line)))
  } catch {
    return undefined
  }
}

/** An array of a response, which PowerShell 5.1 also writes as `{"value": […], "Count": 1}`; undefined for other data. */
export function toResponseList(value: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(value) ? value : toJsonRecord(value)['value']
  return Array.isArray(list) ? list : undefined
}

const toAscii = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Sets the flag `ADS_UF_DONT_EXPIRE_PASSWD`, as Puppet does after each change of a password. */
export const keepPassword = '$u.Put("UserFlags", ($u.Get("UserFlags") -bor 0x10000)); $u.SetInfo()'

import { execFile } from 'node:child_process'
import { startChildProcess } from '../../base/program/child-process.ts'
import { toBackslashes } from './machine-path.ts'
import { buildScriptCommand } from './power-shell.ts'

/**
 * The owner of a path in SDDL, such as `BA` or a security identifier; undefined if PowerShell did not report the owner.
 * `icacls` cannot read owners.
 */
export async function readOwner(path: string): Promise<string | undefined> {
  const literal = `'${toBackslashes(path).replaceAll("'", "''")}'`
  const script = `$ProgressPreference = 'SilentlyContinue'; Get-Acl -LiteralPath ${literal} | Select-Object -ExpandProperty Sddl`
  const [program, ...words] = buildScriptCommand(script)
  const output = await new Promise<string>((done) => {
    startChildProcess(() => execFile(program, words, { windowsHide: true }, (_, stdout) => done(stdout)))
  })
  return parseOwner(output)
}

/** The owner of a security descriptor in SDDL, such as `O:BAG:SYD:PAI(…)`. */
export const parseOwner = (sddl: string): string | undefined => /^O:([A-Z]{2}|S-[-0-9]+)(?=[GDS]:|\s|$)/.exec(sddl)?.[1]

import { defineIssues, throwIssue } from '../../base/issue.ts'
import { runLimitedProgram } from './limited-program.ts'
import { toBackslashes } from './machine-path.ts'
import { buildScriptCommand } from './power-shell.ts'

const issues = defineIssues({
  OWNER_UNREADABLE: {
    text: (a: { path: string; why: string }) => `Could not read the owner of ${a.path}: ${a.why}`,
    hint: () => 'Check the connection to the domain controllers, and policies that delay PowerShell.',
  },
})

/**
 * The owner of a path in SDDL, such as `BA` or a security identifier; undefined if PowerShell did not report the owner.
 * `icacls` cannot read owners. Throws OWNER_UNREADABLE if PowerShell did not end in time.
 */
export async function readOwner(
  path: string,
  run: typeof runLimitedProgram = runLimitedProgram,
): Promise<string | undefined> {
  // PowerShell also ends a text at a typographic quote.
  const literal = `'${toBackslashes(path).replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`
  const script = `$ProgressPreference = 'SilentlyContinue'; Get-Acl -LiteralPath ${literal} | Select-Object -ExpandProperty Sddl`
  const [program, ...words] = buildScriptCommand(script)
  const { stdout, output, timedOut } = await run(program, words)
  if (timedOut) throwIssue(issues.OWNER_UNREADABLE, { path, why: output })
  return parseOwner(stdout)
}

/** The owner of a security descriptor in SDDL, such as `O:BAG:SYD:PAI(…)`. */
export const parseOwner = (sddl: string): string | undefined => /^O:([A-Z]{2}|S-[-0-9]+)(?=[GDS]:|\s|$)/.exec(sddl)?.[1]

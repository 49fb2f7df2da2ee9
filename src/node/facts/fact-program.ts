import { basename, extname } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { System } from '../../machine/system/system.ts'
import { toBackslashes } from '../../machine/windows/machine-path.ts'
import { powershell } from '../../machine/windows/power-shell.ts'
import { getSystemProgram } from '../../machine/windows/system-programs.ts'
import type { FactLog } from './log.ts'

/** An executable external fact. */
interface FactProgram {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The command line in messages; by default the path of the file. */
  readonly title?: string
}

/** The program in a file; undefined if the file is not executable. */
export async function findFactProgram(
  system: System,
  path: string,
  onWindows: boolean,
): Promise<FactProgram | undefined> {
  const extension = extname(path).toLowerCase()
  if (!onWindows) {
    if (['.bat', '.cmd', '.com', '.exe'].includes(extension)) return undefined
    return (await system.commands.find(path)) === undefined ? undefined : { command: [path] }
  }
  const create = programs[extension]
  const kind = create && (await system.files.stat(path))?.kind
  return kind === 'file' || kind === 'link' ? create?.(path) : undefined
}

const runExecutable = (path: string): FactProgram => ({ command: [toBackslashes(path)] })

/** Environment variable with the quoted path of a batch file. */
const pathVariable = 'PLUMB_FACT_FILE'

/**
 * Runs a batch file. The path comes from a variable, which cmd.exe does not expand again: a name such as `a&b%OS%.bat` is
 * not parsed. `/d` ignores the commands that the registry adds to each start of cmd.exe.
 */
const runBatchFile = (path: string): FactProgram => ({
  command: [toBackslashes(getSystemProgram('cmd.exe')), '/d', '/e:on', '/v:off', '/c', `%${pathVariable}%`],
  env: { [pathVariable]: `"${toBackslashes(path)}"` },
})

/** Runs a script with the options of Facter: util/parser.rb, `PowershellParser` */
function runPowershellScript(path: string): FactProgram {
  const program = toBackslashes(powershell)
  const options = ['-NoProfile', '-NonInteractive', '-NoLogo', '-ExecutionPolicy', 'Bypass', '-File']
  return { command: [program, ...options, path], title: `"${program}" ${options.join(' ')} "${path}"` }
}

/** Executable files of Windows by extension. */
const programs: Readonly<Record<string, ((path: string) => FactProgram) | undefined>> = {
  '.bat': runBatchFile,
  '.cmd': runBatchFile,
  '.com': runExecutable,
  '.exe': runExecutable,
  '.ps1': runPowershellScript,
}

const patience = budgets.machine.externalFactTime.bound / 1000
const maxOutput = budgets.machine.externalFactOutput.bound
const cLocale = { LC_ALL: 'C', LANG: 'C' }

/** Runs a program, and logs its standard error. Returns its standard output. */
export async function runFactProgram(
  system: System,
  path: string,
  { command, env = {}, title = path }: FactProgram,
  log: FactLog,
): Promise<string> {
  const options = { timeout: patience, maxOutput, env: { ...cLocale, ...env } }
  const { stdout, stderr } = await system.commands.run(command, options)
  if (stderr.trim() !== '')
    log('warn', `Command ${title} completed with the following stderr message: ${stderr.trim()}`, basename(path))
  return stdout
}

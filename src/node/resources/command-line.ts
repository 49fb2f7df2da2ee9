import { listProgramSplits, splitProgram } from '../../base/program/windows-command.ts'
import type { System } from '../../machine/system/system.ts'
import { isWindows, toSlashes } from '../../machine/windows/machine-path.ts'

/** The words of a command, and on Windows the command line that reaches the program unchanged. */
export interface CommandPlan {
  readonly words: readonly string[]
  readonly commandLine?: string
}

/**
 * Plans a command line as Puppet runs it on this machine: as Ruby's `exec`, on Windows without a shell. A path without
 * quotes can contain spaces there; the program is the shortest part that is a file.
 */
export async function planCommandLine(
  { files }: Pick<System, 'files'>,
  line: string,
  onWindows: boolean = isWindows,
): Promise<CommandPlan> {
  if (!onWindows) return { words: splitCommandLine(line) }
  for (const { program, rest } of listProgramSplits(line)) {
    if ((await files.stat(toSlashes(program)))?.kind !== 'file') continue
    return { words: [program], commandLine: program.includes(' ') ? `"${program}"${rest}` : line }
  }
  return { words: [splitProgram(line).program], commandLine: line }
}

/** Metacharacters and words for which Ruby's `exec`, and so Puppet, starts a shell. */
const signs = /[*?{}[\]<>()~&|\\$;'`"\n#=%]/
const shellWords =
  /^\s*(?:\.|:|break|case|cd|continue|do|eval|exec|exit|export|for|if|set|shift|times|trap|umask|unset|until|wait|while|!)(?:\s|$)/

/**
 * The program and the arguments that run a command line as Ruby's `exec` does: directly, or by
 * `/bin/sh` if the line needs a shell.
 */
export function splitCommandLine(line: string): readonly string[] {
  return signs.test(line) || shellWords.test(line) ? ['/bin/sh', '-c', line] : line.trim().split(/\s+/)
}

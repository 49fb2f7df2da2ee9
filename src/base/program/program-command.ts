import { isSingleExecutable } from './program-files.ts'
import { resolveScriptPath } from './script-path.ts'

/** Path of the program: the executable, or the main script of an installation. */
export const programPath = isSingleExecutable
  ? process.execPath
  : resolveScriptPath(new URL('../../main.js', import.meta.url))

/** The command that starts this program again, to be followed by arguments. */
export const programCommand: readonly string[] = isSingleExecutable
  ? [programPath]
  : [process.execPath, ...process.execArgv, programPath]

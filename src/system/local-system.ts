import { localCommands } from './commands.ts'
import { localFiles } from './files.ts'
import type { System } from './system.ts'

/** The machine we run on. */
export const localSystem: System = { files: localFiles, commands: localCommands, now: Date.now }

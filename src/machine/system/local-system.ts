import { localCommands } from './commands.ts'
import { directFiles } from './direct-files.ts'
import { localFiles } from './files.ts'
import type { System } from './system.ts'

/** The local machine. */
export const localSystem: System = { files: localFiles, commands: localCommands, now: Date.now }

/** The local machine, for a process with a single task. */
export const directSystem: System = { ...localSystem, files: directFiles }

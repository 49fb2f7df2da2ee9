import { localCommands } from './commands.ts'
import { directFiles } from './direct-files.ts'
import { localFiles } from './files.ts'
import type { System } from './system.ts'

/** The machine we run on. */
export const localSystem: System = { files: localFiles, commands: localCommands, now: Date.now }

/** The machine we run on, for a process with one thing to do. */
export const directSystem: System = { ...localSystem, files: directFiles }

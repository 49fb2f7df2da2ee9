import { toSlashes } from './machine-path.ts'

/** Folder of Windows, for example `C:/Windows`. */
export const systemRoot: string = toSlashes(process.env['SystemRoot'] ?? process.env['windir'] ?? 'C:/Windows')

/** Folder of the data that all users share, for example `C:/ProgramData`. */
export const programData: string = toSlashes(process.env['ProgramData'] ?? 'C:/ProgramData')

/** Folder of installed programs, for example `C:/Program Files`. Only administrators can write to it. */
export const programFiles: string = toSlashes(
  process.env['ProgramW6432'] ?? process.env['ProgramFiles'] ?? 'C:/Program Files',
)

/**
 * The absolute path of a program of Windows, such as `sc.exe`. Programs of Windows are never looked up on the path, in which
 * another user may have put a program of the same name.
 */
export const getSystemProgram = (name: string): string => `${systemRoot}/System32/${name}`

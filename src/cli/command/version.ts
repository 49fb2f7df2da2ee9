import { readProgramFile } from '../../base/program/program-files.ts'

/** Version of Plumbline, as in package.json. */
export const version: string = JSON.parse(
  readProgramFile(new URL('../../../package.json', import.meta.url)).toString(),
).version

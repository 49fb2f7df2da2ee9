import { resolve } from 'node:path'

/** The folder of the pictures in the documents if `SCREENSHOTS=1` asks to write them. */
export const pictures: string | undefined =
  process.env['SCREENSHOTS'] === '1' ? resolve(import.meta.dirname, '../../../docs/images') : undefined

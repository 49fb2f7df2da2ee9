import { toPrintableLines } from '../../base/text/printable.ts'
import type { Io } from '../command/command.ts'

/** Prints a notice about progress, so that standard output has only the result. */
export function printNotice(message: string, io: Pick<Io, 'err'>): void {
  io.err(`Notice: ${toPrintableLines(message)}\n`)
}

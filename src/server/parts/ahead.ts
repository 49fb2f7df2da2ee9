import { roundsFrom } from '../ahead/open-ahead.ts'
import { part } from './part.ts'

/** Compiling ahead; the part `compiling` starts it. */
export const ahead = part('ahead', [], ({ settings, log }) => ({ value: roundsFrom(settings, log) }))

import { createAheadRounds } from '../ahead/open-ahead.ts'
import { definePart } from './part.ts'

/** The scheduler that compiles catalogs ahead; the part `compiling` starts it. */
export const aheadPart = definePart('ahead', [], ({ settings, log }) => ({ value: createAheadRounds(settings, log) }))

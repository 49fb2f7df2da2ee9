import { roundsFrom } from '../ahead/open-ahead.ts'
import { part } from './part.ts'

/** Compilation ahead of the nodes' requests, not begun yet. */
export const ahead = part('ahead', [], ({ settings, log }) => ({ value: roundsFrom(settings, log) }))

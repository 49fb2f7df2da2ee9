import { movedBranches as openMovedBranches } from '../gate/from-settings.ts'
import { code } from './code.ts'
import { part } from './part.ts'

/**
 * Branches that moved without a hook, to be tried by the part `following`; undefined if the code is
 * in folders.
 */
export const movedBranches = part('movedBranches', [code], ({ settings, log, code: { source } }) => ({
  value: source && openMovedBranches(settings, source.path, log),
}))

import { createMovedBranches as openMovedBranches } from '../gate/moved-branches-factory.ts'
import { codePart } from './code.ts'
import { definePart } from './part.ts'

/**
 * Branches that moved without a hook, to be tried by the part `following`; undefined if the code is
 * in folders.
 */
export const movedBranchesPart = definePart('movedBranches', [codePart], ({ settings, log, code: { source } }) => ({
  value: source && openMovedBranches(settings, source.path, log),
}))

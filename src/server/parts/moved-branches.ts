import { createMovedBranches as openMovedBranches } from '../gate/moved-branches-factory.ts'
import { codePart } from './code.ts'
import { definePart } from './part.ts'

/**
 * Branches that moved without running the hooks; the part `following` runs the gate for them.
 * Undefined if the code is in folders.
 */
export const movedBranchesPart = definePart('movedBranches', [codePart], ({ settings, log, code: { source } }) => ({
  value: source && openMovedBranches(settings, source.path, log),
}))

import { createMovedBranches as openMovedBranches } from '../../gate/moved-branches-factory.ts'
import { codePart } from '../code.ts'
import { definePart } from '../part.ts'
import { approvalsPart } from './approvals.ts'

/**
 * Branches that moved without running the hooks; the part `following` runs the gate for them.
 * Undefined if the code is in folders.
 */
export const movedBranchesPart = definePart(
  'movedBranches',
  [codePart, approvalsPart],
  ({ settings, log, code: { source }, approvals }) => ({
    value: source && openMovedBranches(settings, source.path, { log, approvals: approvals?.gate }),
  }),
)

import { Reviews } from '../../review/reviews.ts'
import { codePart } from '../code.ts'
import { definePart } from '../part.ts'
import { approvalsPart } from './approvals.ts'
import { gatePart } from './gate.ts'

/** Reviews of merge requests of code sources; undefined without code sources. */
export const reviewsPart = definePart(
  'reviews',
  [codePart, approvalsPart, gatePart],
  ({ log, code: { source: objects, sources }, approvals, gate }) => {
    if (!objects || !sources || !approvals) return { value: undefined }
    const { openHost, fetchHead } = approvals
    const reviews = new Reviews({
      ...{ objects, approvals: approvals.gate, gate, openHost, fetchHead },
      sources: () => sources.all,
      listEnvironments: (source, branch) => sources.listEnvironments(source, branch),
      log: (level, message) => log[level](message),
    })
    return { value: reviews, close: () => reviews.close() }
  },
)

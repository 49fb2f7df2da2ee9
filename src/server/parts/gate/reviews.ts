import { Reviews } from '../../review/reviews.ts'
import { RolloutStatuses } from '../../review/rollout-statuses.ts'
import { codePart } from '../code.ts'
import { definePart } from '../part.ts'
import { rolloutsPart } from '../rollouts/rollouts.ts'
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

/** Statuses of rollouts at their commits on the Git hosts. */
export const rolloutStatusesPart = definePart(
  'rolloutStatuses',
  [codePart, approvalsPart, rolloutsPart],
  ({ log, code: { sources }, approvals, rollouts }) => {
    if (!sources || !approvals) return {}
    const statuses = new RolloutStatuses({
      findSource(environment) {
        const name = sources.findSource(environment)
        return sources.all.find((source) => source.name === name && source.review)
      },
      openHost: approvals.openHost,
      toSourceCommit: (commit) => approvals.gate.toSourceCommit(commit),
      warn: (message) => log.warn(message),
    })
    rollouts.onStep((taken) => statuses.publish(taken))
    return {}
  },
)

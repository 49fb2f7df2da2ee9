import { auditBudgets } from './audit.ts'
import { authorityBudgets } from './authority.ts'
import { bundleBudgets } from './bundle.ts'
import { capacityBudgets } from './capacity.ts'
import { connectionBudgets } from './connection.ts'
import { environmentBudgets } from './environment.ts'
import { gemBudgets } from './gem.ts'
import { gitBudgets } from './git.ts'
import { ldapBudgets } from './ldap.ts'
import { machineBudgets } from './machine.ts'
import { moduleBudgets } from './module.ts'
import { nodeBudgets } from './node.ts'
import { orderBudgets } from './order.ts'
import { outsideBudgets } from './outside.ts'
import { pageBudgets } from './pages.ts'
import { patternBudgets } from './pattern.ts'
import { plugInBudgets } from './plug-in.ts'
import { policyBudgets } from './policy.ts'
import { pushBudgets } from './push.ts'
import { queryBudgets } from './query.ts'
import { requestBudgets } from './request.ts'
import { reviewBudgets } from './review.ts'
import { rolloutBudgets } from './rollout.ts'
import { secretBudgets } from './secret.ts'
import { socketBudgets } from './socket.ts'
import { storeBudgets } from './store.ts'
import { telemetryBudgets } from './telemetry.ts'
import { tokenBudgets } from './token.ts'
import { workbenchBudgets } from './workbench/authors.ts'
import { documentationBudgets } from './workbench/documentation.ts'
import { formatBudgets } from './workbench/format.ts'
import { lintBudgets } from './workbench/lint.ts'
import { specBudgets } from './workbench/spec.ts'

export type { Budget } from './budget.ts'

/** All limits on external input. Code, settings and docs/budgets.md use this table. */
export const budgets = {
  connection: connectionBudgets,
  request: requestBudgets,
  node: nodeBudgets,
  push: pushBudgets,
  git: gitBudgets,
  environment: environmentBudgets,
  documentation: documentationBudgets,
  module: moduleBudgets,
  gem: gemBudgets,
  order: orderBudgets,
  outside: outsideBudgets,
  authority: authorityBudgets,
  bundle: bundleBudgets,
  pattern: patternBudgets,
  plugIn: plugInBudgets,
  policy: policyBudgets,
  rollout: rolloutBudgets,
  ldap: ldapBudgets,
  lint: lintBudgets,
  machine: machineBudgets,
  review: reviewBudgets,
  secret: secretBudgets,
  socket: socketBudgets,
  query: queryBudgets,
  spec: specBudgets,
  store: storeBudgets,
  token: tokenBudgets,
  pages: pageBudgets,
  capacity: capacityBudgets,
  audit: auditBudgets,
  telemetry: telemetryBudgets,
  workbench: workbenchBudgets,
  format: formatBudgets,
} as const

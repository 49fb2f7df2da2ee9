import { audit } from './budgets/audit.ts'
import { authority } from './budgets/authority.ts'
import { connection } from './budgets/connection.ts'
import { environment } from './budgets/environment.ts'
import { git } from './budgets/git.ts'
import { ldap } from './budgets/ldap.ts'
import { machine } from './budgets/machine.ts'
import { module } from './budgets/module.ts'
import { node } from './budgets/node.ts'
import { outside } from './budgets/outside.ts'
import { pages } from './budgets/pages.ts'
import { pattern } from './budgets/pattern.ts'
import { plugIn } from './budgets/plug-in.ts'
import { policy } from './budgets/policy.ts'
import { push } from './budgets/push.ts'
import { query } from './budgets/query.ts'
import { request } from './budgets/request.ts'
import { store } from './budgets/store.ts'
import { telemetry } from './budgets/telemetry.ts'
import { token } from './budgets/token.ts'

export type { Budget } from './budgets/budget.ts'

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = {
  connection,
  request,
  node,
  push,
  git,
  environment,
  module,
  outside,
  authority,
  pattern,
  plugIn,
  policy,
  ldap,
  machine,
  query,
  store,
  token,
  pages,
  audit,
  telemetry,
} as const

import { audit } from './audit.ts'
import { authority } from './authority.ts'
import { connection } from './connection.ts'
import { environment } from './environment.ts'
import { git } from './git.ts'
import { ldap } from './ldap.ts'
import { machine } from './machine.ts'
import { module } from './module.ts'
import { node } from './node.ts'
import { outside } from './outside.ts'
import { pages } from './pages.ts'
import { pattern } from './pattern.ts'
import { plugIn } from './plug-in.ts'
import { policy } from './policy.ts'
import { push } from './push.ts'
import { query } from './query.ts'
import { request } from './request.ts'
import { store } from './store.ts'
import { telemetry } from './telemetry.ts'
import { token } from './token.ts'

export type { Budget } from './budget.ts'

/** All limits on external input. Code, settings and docs/budgets.md use this table. */
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

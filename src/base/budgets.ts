import { authority } from './budgets/authority.ts'
import { connection } from './budgets/connection.ts'
import { environment } from './budgets/environment.ts'
import { node } from './budgets/node.ts'
import { pattern } from './budgets/pattern.ts'
import { push } from './budgets/push.ts'
import { request } from './budgets/request.ts'

export type { Budget } from './budgets/budget.ts'

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority, pattern } as const

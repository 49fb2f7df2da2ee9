import { type Client, createUnauthenticatedClient } from '../http/client.ts'
import { authorize } from './authorize.ts'
import type { Rule } from './rule.ts'
import { tokenScopes } from './token-scopes.ts'

/** One path for each endpoint that Puppet Server does not have. */
const endpoints = [
  '/plumb/v1/plugins',
  '/ui/',
  '/pdb/query/v4/nodes',
  '/ocsp',
  '/metrics',
  '/git/code.git/info/refs',
] as const

/** A client with the most rights possible: an administrator with a token of every scope. */
const administrator: Client = {
  ...createUnauthenticatedClient('127.0.0.1'),
  certname: 'administrator',
  extensions: { pp_cli_auth: 'true' },
  token: { name: 'administrator', scopes: Object.keys(tokenScopes) },
}

/** Our own endpoints that the rules deny even to an administrator, each with the reason. */
export function listDeniedEndpoints(
  rules: readonly Rule[],
): readonly { readonly path: string; readonly reason: string }[] {
  return endpoints.flatMap((path) => {
    const { allowed, reason } = authorize(rules, { path, method: 'get', query: '', client: administrator })
    return allowed ? [] : [{ path, reason }]
  })
}

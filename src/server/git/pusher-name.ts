import type { Client } from '../http/client.ts'

/** Name of a client for the audit log: token name, certname, or both. */
export function formatPusherName({ certname, token, address }: Client): string {
  const names = [...(token ? [`token '${token.name}'`] : []), ...(certname === undefined ? [] : [certname])]
  return names.length === 0 ? address : names.join(' of ')
}

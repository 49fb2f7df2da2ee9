import type { Client } from '../http/client.ts'

/** A client in the words of the audit log: the token that it showed, the name on its certificate, or both. */
export function pusherName({ certname, token, address }: Client): string {
  const names = [...(token ? [`token '${token.name}'`] : []), ...(certname === undefined ? [] : [certname])]
  return names.length === 0 ? address : names.join(' of ')
}

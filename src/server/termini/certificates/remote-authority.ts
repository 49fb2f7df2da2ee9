import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type CaV1, createCaV1Client } from '../../../network/client/ca-v1.ts'
import { createRemoteServer, type RemoteServerSettings } from '../remote-server.ts'

/** Settings for access to a remote authority. */
export type RemoteAuthoritySettings = RemoteServerSettings & Pick<Settings, 'ca_server' | 'ca_port'>

/**
 * Client of an authority on another server. Throws ResponseError, REMOTE_AWAY, REMOTE_OVERLOADED.
 */
export interface RemoteAuthority {
  /**
   * Sends a query; concurrent queries with the same `what` share one response. With `known`, the
   * client certificate is presented.
   */
  ask<Answer>(what: string, question: Question<Answer>, as?: 'known'): Promise<Answer>
  tell(question: Question<void>): Promise<void>
}

type Question<Answer> = (authority: CaV1) => Promise<Answer>

/**
 * Creates a client of the authority at `ca_server`. The client presents our certificate only if required, because it
 * sends requests on behalf of unauthenticated clients. Throws REMOTE_IS_THIS_SERVER.
 */
export function createRemoteAuthority(
  settings: RemoteAuthoritySettings,
  files: Pick<Files, 'readText'>,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): RemoteAuthority {
  const { ca_server: host, ca_port: port } = settings
  const what = { what: 'certificate authority', setting: 'ca_server' }
  const remote = createRemoteServer({ settings, files, host, port, ...what, timeoutMs })
  const underWay = new Map<string, Promise<unknown>>()
  const askAuthority = <Answer>(question: Question<Answer>, isKnown: boolean) =>
    remote.ask((http, origin) => question(createCaV1Client(http, async () => origin)), isKnown)
  return {
    ask<Answer>(what: string, question: Question<Answer>, as?: 'known') {
      const known = underWay.get(what)
      if (known) return known as Promise<Answer>
      const answer = askAuthority(question, as === 'known').finally(() => underWay.delete(what))
      underWay.set(what, answer)
      return answer
    },
    tell: (question) => askAuthority(question, false),
  }
}

import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { readHostTls } from '../../network/client/host-tls.ts'
import { HttpClient } from '../../network/client/http-client.ts'
import type { TlsContext } from '../../network/client/tls.ts'
import { type PuppetDbConfig, parsePuppetDbConfig } from './config.ts'
import { puppetDbIssues } from './issues.ts'
import { PuppetDbStore } from './puppetdb-store.ts'

const tlsIssues = defineIssues({
  PUPPETDB_TLS_FILE: {
    text: (a: { what: string; file: string }) => `Could not query PuppetDB: the ${a.what} missing from '${a.file}'`,
  },
})

/** The settings that a connection to PuppetDB needs. */
export type PuppetDbSettings = Pick<
  Settings,
  | 'confdir'
  | 'hostcert'
  | 'hostprivkey'
  | 'localcacert'
  | 'hostcrl'
  | 'certificate_revocation'
  | 'http_connect_timeout'
  | 'http_keepalive_timeout'
>

/** Opens a store that uses the PuppetDB servers in `$confdir/puppetdb.conf`. */
export async function openPuppetDbStore(
  settings: PuppetDbSettings,
  files: Pick<Files, 'readText'>,
  warn: (message: string) => void,
): Promise<PuppetDbStore> {
  const file = join(settings.confdir, 'puppetdb.conf')
  const config = parsePuppetDbConfig({ file, text: await files.readText(file) }, warn)
  const createClient = async () =>
    new HttpClient({
      tls: await readTlsContext(settings, config, files),
      connectTimeout: Math.min(settings.http_connect_timeout, config.serverUrlTimeout),
      readTimeout: config.serverUrlTimeout,
      keepAliveTimeout: settings.http_keepalive_timeout,
      warn,
      // Do not wait when a server is busy, because another server may be available.
      sleep: async (seconds) => throwIssue(puppetDbIssues.PUPPETDB_BUSY, { seconds }),
    })
  return PuppetDbStore.open({ config, client: createClient, warn })
}

/**
 * TLS context of this server as a client: its certificate, and the CA that verifies PuppetDB's
 * certificate.
 */
async function readTlsContext(
  settings: PuppetDbSettings,
  { verifyClientCertificate }: PuppetDbConfig,
  files: Pick<Files, 'readText'>,
): Promise<TlsContext> {
  const read = async (what: string, file: string) =>
    (await files.readText(file)) ?? throwIssue(tlsIssues.PUPPETDB_TLS_FILE, { what, file })
  await read('CA certificates are', settings.localcacert)
  const { cert: _cert, key: _key, ...trust } = await readHostTls(settings, files)
  if (!verifyClientCertificate) return trust
  const cert = await read('certificate is', settings.hostcert)
  return { ...trust, cert, key: await read('private key is', settings.hostprivkey) }
}

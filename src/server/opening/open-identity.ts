import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import {
  type CertificateAlert,
  type CertificateFigures,
  certificateAlerts,
  certificateEnds,
  certificateFigures,
} from '../../ca/certificate-ends.ts'
import type { EndingNodes } from '../../ca/ending.ts'
import { caLayout } from '../../ca/layout.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { statNow } from '../../machine/system/files.ts'
import type { System } from '../../machine/system/system.ts'
import { readAuthConf, readExtensionNames } from '../auth/auth-files.ts'
import { clientByCertificate } from '../auth/client-certificate.ts'
import { clientByHeaders } from '../auth/header-client.ts'
import { KnownTokens } from '../auth/known-tokens.ts'
import type { Rule } from '../auth/rule.ts'
import { tokenFiles } from '../auth/token-file.ts'
import { TokenGate } from '../auth/token-gate.ts'
import { Trust } from '../auth/trust.ts'
import type { Client } from '../http/client.ts'
import { clientHeaders } from '../https/client-headers.ts'
import { certificatesIn, readTls, type TlsOptions } from '../https/tls-context.ts'
import type { Ending } from '../metrics/state-metrics.ts'
import type { Reloadable } from '../reloader.ts'

/** Parts by which a server knows its clients, and shows itself to them. */
export interface IdentityParts {
  readonly settings: Settings
  readonly system: System
  readonly log: Logger
  readonly authority: CertificateAuthority | undefined
  /** The certificate that catalogs are signed with now. */
  signer(): Certificate | undefined
  /** Certificates of nodes that soon end. */
  endingNodes(): EndingNodes
}

/** Who is who: our certificate, whom we trust, and what auth.conf and tokens say of clients. */
export interface Identity {
  /** Key and certificate of the start. */
  readonly tls: TlsOptions
  readonly gate: TokenGate
  rules(): readonly Rule[]
  identify(request: FastifyRequest): Promise<Client>
  /** Alerts about the certificates that are shown and trusted now. */
  alerts(): readonly CertificateAlert[]
  /** When those end, and the revocation lists. */
  endings(): readonly Ending[]
  /** The same as figures of the status. */
  certificates(): CertificateFigures
  /** `shown` is told to show another certificate; it has prepared for that before anything is taken. */
  reloadable(shown: (tls: TlsOptions) => Promise<() => void>): Reloadable
  close(): Promise<void>
}

/** Reads certificates, auth.conf, lists and names. Throws what is wrong with any of them. */
export async function openIdentity(parts: IdentityParts): Promise<Identity> {
  const { settings, system, log, authority, signer, endingNodes } = parts
  let auth = await readAuthConf({ settings, system })
  let names = await readExtensionNames({ settings, system })
  const tls = await readTls(settings, system.files)
  let certificates = certificatesIn(tls)
  const listFiles = { stat: statNow, readText: system.files.readText }
  const trust = new Trust(listsFile(settings, authority), listFiles, (message) =>
    log.error(`No certificate of a client counts: ${message}`),
  )
  await trust.open(tls.ca)
  const tokens = new KnownTokens({
    paths: tokenFiles(settings),
    files: system.files,
    now: () => system.now(),
    onTrouble: (message) => log.error(message),
    onRefused: (message) => log.warn(message),
  })
  const gate = new TokenGate(tokens)
  const byConnection = (request: FastifyRequest) =>
    auth.allowHeaderCertInfo
      ? clientByHeaders(request.raw.headersDistinct, request.ip, names)
      : clientByCertificate(request, trust, names)
  const watched = () => ({
    ...{ ...certificates, signer: signer(), signsHere: authority !== undefined },
    ...{ lists: trust.lists, nodes: endingNodes() },
  })
  return {
    tls,
    gate,
    rules: () => auth.rules,
    identify: async (request) => gate.identify(await byConnection(request), clientHeaders(request)),
    alerts: () => certificateAlerts(watched(), new Date(system.now())),
    endings: () => certificateEnds(watched()),
    certificates: () => certificateFigures(watched(), new Date(system.now())),
    reloadable: (show) => ({
      async prepare(next) {
        const renewed = await readTls(next, system.files)
        const conf = await readAuthConf({ settings: next, system })
        const mapping = await readExtensionNames({ settings: next, system })
        const [takeTrust, takeTls] = [await trust.prepare(renewed.ca), await show(renewed)]
        return () => {
          takeTrust()
          takeTls()
          auth = conf
          names = mapping
          certificates = certificatesIn(renewed)
        }
      },
    }),
    close: () => tokens.close(),
  }
}

/** The revocation lists that count: the authority's own, where it is here. */
export function listsFile(
  { cadir, hostcrl }: Pick<Settings, 'cadir' | 'hostcrl'>,
  authority: CertificateAuthority | undefined,
): string {
  return authority ? caLayout(cadir).revocationList : hostcrl
}

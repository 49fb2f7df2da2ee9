import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  type CertificateAlert,
  type CertificateFigures,
  computeCertificateFigures,
  listCertificateAlerts,
  listCertificateExpirations,
} from '../../ca/certificate-alerts.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { ExpiringNodes } from '../../ca/expiring-certificates.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { getFileStatSync } from '../../machine/system/files.ts'
import type { System } from '../../machine/system/system.ts'
import { readAuthConf, readExtensionNames } from '../auth/auth-files.ts'
import { Trust } from '../auth/certificate-trust.ts'
import { type ClientConnection, identifyByCertificate } from '../auth/client-certificate.ts'
import { identifyByHeaders } from '../auth/header-client.ts'
import type { Rule } from '../auth/rule.ts'
import { getTokenPaths } from '../auth/token-file.ts'
import { TokenGate } from '../auth/token-gate.ts'
import { TokenRegistry } from '../auth/token-registry.ts'
import type { Client } from '../http/client.ts'
import { getClientHeaders } from '../https/client-headers.ts'
import { parseTlsCertificates, readTlsOptions, type TlsOptions } from '../https/tls-context.ts'
import { addExpiryMetrics, type CertificateExpiry } from '../metrics/state-metrics.ts'
import type { Reloadable } from '../reloader.ts'
import { authorityPart, getRevocationListsFile } from './authority.ts'
import { sealPart } from './catalog-seal.ts'
import { upkeepPart } from './certificate-upkeep.ts'
import { definePart } from './part.ts'

/** The server's certificate and trust, and the rules and tokens of clients. */
export const identityPart = definePart('identity', [authorityPart, sealPart, upkeepPart], async (parts) => {
  const { seal, upkeep, system, log } = parts
  const identity = await openIdentity({
    ...parts,
    signer: () => seal.certificate,
    endingNodes: () => upkeep.endingNodes,
  })
  return {
    value: identity,
    alerts: () => identity.alerts().map(({ severity, message }) => ({ severity, message })),
    metrics: (registry) => addExpiryMetrics(registry, { endings: identity.endings, now: () => system.now() }),
    reload: identity.reloadable,
    daily: () => logAlerts(identity.alerts(), log),
    close: () => identity.close(),
  }
})

interface IdentityParts {
  readonly settings: Settings
  readonly system: System
  readonly log: Logger
  readonly authority: CertificateAuthority | undefined
  /** Returns the certificate that signs catalogs now. */
  signer(): Certificate | undefined
  /** Returns the certificates of nodes that expire soon. */
  endingNodes(): ExpiringNodes
}

/**
 * Returns a function that activates a renewed certificate on a port and cannot fail. Throws if the
 * certificate is invalid.
 */
type PreparePort = (tls: TlsOptions) => Promise<() => void>

/** The server's identity, and the identities and rights of its clients. */
interface Identity {
  /** Key and certificate at the start of the server. */
  readonly tls: TlsOptions
  readonly gate: TokenGate
  rules(): readonly Rule[]
  identify(request: FastifyRequest): Promise<Client>
  /** Identifies the client by its certificate only; also later, while the connection is open. */
  identifyConnection(connection: ClientConnection): Promise<Client>
  /** Returns alerts about the certificates in use. */
  alerts(): readonly CertificateAlert[]
  /** Returns the expiry of the certificates in use and of the revocation lists. */
  endings(): readonly CertificateExpiry[]
  /** Returns the expiry of certificates and revocation lists, in the format of the status service. */
  certificates(): CertificateFigures
  /** Adds a port that uses the certificate. Each reload calls `prepare` with the renewed certificate. */
  addPort(prepare: PreparePort): void
  readonly reloadable: Reloadable
  close(): Promise<void>
}

/** Reads certificates, auth.conf, revocation lists and extension names. Throws if one is invalid. */
async function openIdentity(parts: IdentityParts): Promise<Identity> {
  const { settings, system, log, authority, signer, endingNodes } = parts
  let auth = await readAuthConf({ settings, system })
  let names = await readExtensionNames({ settings, system })
  const tls = await readTlsOptions(settings, system.files)
  let certificates = parseTlsCertificates(tls)
  const listFiles = { stat: getFileStatSync, readText: system.files.readText }
  const trust = new Trust(getRevocationListsFile(settings, authority), listFiles, (message) =>
    log.error(`All client certificates are rejected: ${message}`),
  )
  await trust.open(tls.ca)
  const tokens = new TokenRegistry({
    paths: getTokenPaths(settings),
    files: system.files,
    now: () => system.now(),
    onTrouble: (message) => log.error(message),
    onRefused: (message) => log.warn(message),
  })
  const gate = new TokenGate(tokens)
  const ports: PreparePort[] = []
  const identifyConnection = async (request: ClientConnection): Promise<Client> =>
    auth.allowHeaderCertInfo
      ? identifyByHeaders(request.raw.headersDistinct, request.ip, names)
      : identifyByCertificate(request, trust, names)
  const listWatchedCertificates = () => ({
    ...{ ...certificates, signer: signer(), signsHere: authority !== undefined },
    ...{ lists: trust.lists, nodes: endingNodes() },
  })
  return {
    tls,
    gate,
    rules: () => auth.rules,
    identify: async (request) => gate.identify(await identifyConnection(request), getClientHeaders(request)),
    identifyConnection,
    alerts: () => listCertificateAlerts(listWatchedCertificates(), new Date(system.now())),
    endings: () => listCertificateExpirations(listWatchedCertificates()),
    certificates: () => computeCertificateFigures(listWatchedCertificates(), new Date(system.now())),
    addPort: (prepare) => void ports.push(prepare),
    reloadable: {
      async prepare(next) {
        const renewed = await readTlsOptions(next, system.files)
        const conf = await readAuthConf({ settings: next, system })
        const mapping = await readExtensionNames({ settings: next, system })
        const takeTrust = await trust.prepare(renewed.ca)
        const takePorts = await Promise.all(ports.map((prepare) => prepare(renewed)))
        return () => {
          takeTrust()
          for (const take of takePorts) take()
          auth = conf
          names = mapping
          certificates = parseTlsCertificates(renewed)
        }
      },
    },
    close: () => tokens.close(),
  }
}

/** Writes alerts about certificates to the log. */
export function logAlerts(alerts: readonly CertificateAlert[], log: Logger): void {
  for (const { severity, message, hint } of alerts)
    log[severity === 'error' ? 'error' : 'warn'](`${message} (hint: ${hint})`)
}

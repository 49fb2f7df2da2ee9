import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { createIndirection, type Indirection } from '../../model/indirector/indirection.ts'
import type { Request } from '../../model/indirector/request.ts'
import { type Route, type Routes, routeFor } from '../../model/indirector/routes.ts'
import type { IndirectionDefinition } from '../../model/indirector/terminus.ts'
import {
  type CertificateServices,
  certificate,
  certificateRequest,
  certificateRevocationList,
  type PemDocument,
  type RevocationListRequest,
  type SigningRequest,
} from '../termini/certificates/index.ts'
import {
  type RemoteAuthority,
  type RemoteAuthoritySettings,
  remoteAuthority,
} from '../termini/certificates/remote-authority.ts'

/** Certificates, requests and revocation lists, from wherever they come; none where no terminus is chosen. */
export interface CertificateTermini {
  readonly certificate: Indirection<PemDocument> | undefined
  readonly certificateRequest: Indirection<string, SigningRequest> | undefined
  readonly certificateRevocationList: Indirection<PemDocument, RevocationListRequest> | undefined
  /** True where another server is asked: who hands on for others is not asked by such a server in turn. */
  readonly asksOthers: boolean
}

/** Parts from which they are opened. */
export interface CertificateTerminiParts {
  readonly authority: CertificateAuthority | undefined
  readonly files: Pick<Files, 'readText' | 'readWithin' | 'stat'>
  readonly routes: Routes
  readonly settings: RemoteAuthoritySettings & Pick<Settings, 'certdir'>
}

/** The indirections of certificates: by routes.yaml, or else the authority of this server, where it has one. Throws what cannot be. */
export function openCertificateTermini(parts: CertificateTerminiParts): CertificateTermini {
  const { authority, files, routes, settings } = parts
  let known: RemoteAuthority | undefined
  const remote = () => {
    known ??= remoteAuthority(settings, files)
    return known
  }
  const services: CertificateServices = { authority, files, settings, remote }
  const chosen = new Set<string>()
  const opened = <Model, Query extends Request>(
    definition: IndirectionDefinition<Model, CertificateServices, Query>,
  ): Indirection<Model, Query> | undefined => {
    const route: Route = routeFor(routes, definition.name, { terminus: authority ? 'ca' : '' })
    if (route.terminus === '') return undefined
    chosen.add(route.terminus)
    return createIndirection(definition, services, route)
  }
  const termini = {
    certificate: opened(certificate),
    certificateRequest: opened(certificateRequest),
    certificateRevocationList: opened(certificateRevocationList),
  }
  return { ...termini, asksOthers: chosen.has('rest') }
}

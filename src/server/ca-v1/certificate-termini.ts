import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { createIndirection, type Indirection } from '../../model/indirector/indirection.ts'
import type { Request } from '../../model/indirector/request.ts'
import { getRoute, type IndirectionRoute, type Routes } from '../../model/indirector/routes.ts'
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
  createRemoteAuthority,
  type RemoteAuthority,
  type RemoteAuthoritySettings,
} from '../termini/certificates/remote-authority.ts'

/**
 * Indirections for certificates, signing requests and revocation lists; undefined without a
 * terminus.
 */
export interface CertificateTermini {
  readonly certificate: Indirection<PemDocument> | undefined
  readonly certificateRequest: Indirection<string, SigningRequest> | undefined
  readonly certificateRevocationList: Indirection<PemDocument, RevocationListRequest> | undefined
  /** True if a terminus uses another server. Requests that another server forwarded are then refused. */
  readonly asksOthers: boolean
}

/** Dependencies of the certificate indirections. */
export interface CertificateTerminiParts {
  readonly authority: CertificateAuthority | undefined
  readonly files: Pick<Files, 'readText' | 'readWithin' | 'stat'>
  readonly routes: Routes
  readonly settings: RemoteAuthoritySettings & Pick<Settings, 'certdir'>
}

/**
 * Opens the certificate indirections, from routes.yaml or for this server's authority. Throws if a
 * terminus cannot be opened.
 */
export function openCertificateTermini(parts: CertificateTerminiParts): CertificateTermini {
  const { authority, files, routes, settings } = parts
  let known: RemoteAuthority | undefined
  const getRemoteAuthority = () => {
    known ??= createRemoteAuthority(settings, files)
    return known
  }
  const services: CertificateServices = { authority, files, settings, remote: getRemoteAuthority }
  const chosen = new Set<string>()
  const openIndirection = <Model, Query extends Request>(
    definition: IndirectionDefinition<Model, CertificateServices, Query>,
  ): Indirection<Model, Query> | undefined => {
    const route: IndirectionRoute = getRoute(routes, definition.name, { terminus: authority ? 'ca' : '' })
    if (route.terminus === '') return undefined
    chosen.add(route.terminus)
    return createIndirection(definition, services, route)
  }
  const termini = {
    certificate: openIndirection(certificate),
    certificateRequest: openIndirection(certificateRequest),
    certificateRevocationList: openIndirection(certificateRevocationList),
  }
  return { ...termini, asksOthers: chosen.has('rest') }
}

import { OcspResponder } from '../../../ca/ocsp-responder.ts'
import { getClientCertificateDer } from '../../auth/client-certificate.ts'
import { openCertificateTermini } from '../../ca-v1/certificate-termini.ts'
import { createCaV1Plugin as caV1Plugin } from '../../ca-v1/index.ts'
import { addOcspRoutes } from '../../ca-v1/ocsp.ts'
import { authorityPart } from '../authority.ts'
import { definePart } from '../part.ts'
import { servicesPart } from '../services.ts'

/** Routes of `/ocsp`; empty if this server is not the authority, or the setting `ocsp` is off. */
export const ocspPart = definePart('ocsp', [authorityPart], ({ settings, system, authority }) => {
  if (!authority || !settings.ocsp) return {}
  const { certname, ocsp_signer: signerFile } = settings
  return { routes: (http) => addOcspRoutes(http, new OcspResponder({ authority, certname, signerFile, system })) }
})

/** Routes of `/puppet-ca/v1`. */
export const caV1Part = definePart(
  'caV1',
  [authorityPart, servicesPart],
  ({ settings, system: { files }, authority, services }) => ({
    async routes(http) {
      const termini = openCertificateTermini({ authority, settings, files, routes: services.routes })
      await http.register(caV1Plugin({ ca: authority, termini, clientCertificate: getClientCertificateDer }))
    },
  }),
)

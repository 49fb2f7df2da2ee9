import { OcspResponder } from '../../../ca/ocsp-responder.ts'
import { clientCertificateDer } from '../../auth/client-certificate.ts'
import { openCertificateTermini } from '../../ca-v1/certificate-termini.ts'
import { caV1 as caV1Plugin } from '../../ca-v1/index.ts'
import { ocspRoutes } from '../../ca-v1/ocsp.ts'
import { authority } from '../authority.ts'
import { part } from '../part.ts'
import { services } from '../services.ts'

/** Routes of `/ocsp`; empty if this server is not the authority, or the setting `ocsp` is off. */
export const ocsp = part('ocsp', [authority], ({ settings, system, authority }) => {
  if (!authority || !settings.ocsp) return {}
  const { certname, ocsp_signer: signerFile } = settings
  return { routes: (http) => ocspRoutes(http, new OcspResponder({ authority, certname, signerFile, system })) }
})

/** Routes of `/puppet-ca/v1`. */
export const caV1 = part('caV1', [authority, services], ({ settings, system: { files }, authority, services }) => ({
  async routes(http) {
    const termini = openCertificateTermini({ authority, settings, files, routes: services.routes })
    await http.register(caV1Plugin({ ca: authority, termini, clientCertificate: clientCertificateDer }))
  },
}))

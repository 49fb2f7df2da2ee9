import { access } from 'node:fs/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'

const issues = defineIssues({
  NO_CERTIFICATE: {
    text: (a: { name: string; file: string }) => `This host has no certificate for ${a.name}: ${a.file} does not exist`,
    hint: (a) =>
      `Request a certificate with 'plumb ssl bootstrap', and sign it with 'plumb ca sign --certname ${a.name}' on the server.${orToken}`,
  },
  OWN_CERTIFICATE_UNREADABLE: {
    text: (a: { file: string; why: string }) =>
      `Could not read the key or certificate of this host, ${a.file}: ${a.why}`,
    hint: () => `Run the command as the owner of the file, usually root.${orToken}`,
  },
})

const orToken = " 'plumb query' and 'plumb node' also accept a token: --token-file FILE, from 'plumb token create'."

/**
 * Requires the certificate and key of this host, so that a command neither requests a certificate nor waits for one. Throws
 * NO_CERTIFICATE, OWN_CERTIFICATE_UNREADABLE.
 */
export async function checkHostCertificate({
  certname: name,
  hostcert,
  hostprivkey,
}: Pick<Settings, 'certname' | 'hostcert' | 'hostprivkey'>): Promise<void> {
  for (const file of [hostcert, hostprivkey])
    await access(file, 4).catch((error: unknown) => {
      if (isMissingFileError(error)) throwIssue(issues.NO_CERTIFICATE, { name, file })
      throwIssue(issues.OWN_CERTIFICATE_UNREADABLE, { file, why: formatErrorReason(error) })
    })
}

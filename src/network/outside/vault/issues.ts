import { defineIssues } from '../../../base/issue.ts'

/** Reasons why a request to Vault is rejected before it is sent. */
export const vaultRefusals = defineIssues({
  VAULT_ADDRESS: {
    text: (a: { address: string }) => `The setting external_vault_addresses does not allow ${a.address}`,
  },
  VAULT_PATH: { text: (a: { path: string }) => `${a.path} is not a valid path of a secret` },
  VAULT_NO_TOKEN: { text: (_: object) => 'no token set in options and no token in VAULT_TOKEN' },
  VAULT_AUTH_METHOD: {
    text: (a: { method: string; known: readonly string[] }) =>
      `auth_method '${a.method}' is not supported; the supported methods are ${a.known.join(', ')}`,
  },
  VAULT_OPTION: { text: (a: { method: string; name: string }) => `auth_method '${a.method}' requires ${a.name}` },
  VAULT_FILE: {
    text: (a: { path: string }) => `${a.path} is not a readable file in a directory of the setting eyaml_keydirs`,
  },
  VAULT_CERTIFICATE: {
    text: (a: { path: string; reason: string }) => `The certificate and key in ${a.path} cannot be used: ${a.reason}`,
  },
})

/** Failures of a request to Vault. */
export const vaultFailures = defineIssues({
  VAULT_REDIRECT: {
    text: (a: { to: string }) => `it redirects to ${a.to}, which the setting external_vault_addresses does not allow`,
  },
  VAULT_NOT_JSON: { text: (a: { status: number }) => `its response with status ${a.status} is not JSON` },
  VAULT_TOO_LARGE: { text: (a: { most: number }) => `its response exceeds ${a.most} bytes` },
  VAULT_TOO_SLOW: { text: (a: { seconds: number }) => `no response within ${a.seconds} seconds` },
  VAULT_LOGIN: {
    text: (a: { method: string; why: string }) => `login with auth_method '${a.method}' failed: ${a.why}`,
  },
})

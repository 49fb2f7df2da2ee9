import { defineIssues } from '../../../base/issue.ts'

/** Reasons why a request for a secret is rejected before it is sent. */
export const secretRefusals = defineIssues({
  SECRET_CERTIFICATE: {
    text: (a: { path: string; reason: string }) => `The certificate and key in ${a.path} cannot be used: ${a.reason}`,
  },
  SECRET_FILE: {
    text: (a: { path: string }) => `${a.path} is not a readable file in a directory of the setting eyaml_keydirs`,
  },
  SECRET_FILE_CONTENT: {
    text: (a: { path: string }) => `${a.path} is not a file with one line that contains a credential`,
  },
  SECRET_FILE_MEMBER: {
    text: (a: { path: string; name: string }) => `${a.path} does not contain the credential ${a.name}`,
  },
  SECRET_STORE_OFF: {
    text: (a: { store: string }) =>
      `Network access is disabled during catalog compilation: the setting external_lookups does not allow ${a.store}`,
  },
  SECRET_OPTION: {
    text: (a: { name: string; value: string }) => `The option ${a.name} has the invalid value '${a.value}'`,
  },
  SECRET_ENDPOINT: {
    text: (a: { entry: string; known: readonly string[] }) =>
      `'${a.entry}' in the setting external_secret_endpoints is not SERVICE=URL; the services are ${a.known.join(', ')}`,
  },
})

/** Reasons why a request to Vault is rejected before it is sent. */
export const vaultRefusals = defineIssues({
  VAULT_ADDRESS: {
    text: (a: { address: string }) => `The setting external_vault_addresses does not allow ${a.address}`,
  },
  VAULT_PATH: { text: (a: { path: string }) => `${a.path} is not a valid path of a secret` },
  VAULT_CIPHERTEXT: {
    text: (a: { path: string }) => `the text for ${a.path} is not a ciphertext of the transit engine of Vault`,
  },
  VAULT_NO_TOKEN: { text: (_: object) => 'no token set in options and no token in VAULT_TOKEN' },
  VAULT_AUTH_METHOD: {
    text: (a: { method: string; known: readonly string[] }) =>
      `auth_method '${a.method}' is not supported; the supported methods are ${a.known.join(', ')}`,
  },
  VAULT_OPTION: { text: (a: { method: string; name: string }) => `auth_method '${a.method}' requires ${a.name}` },
})

/** Failures of a request for a secret. */
export const secretFailures = defineIssues({
  SECRET_NOT_JSON: { text: (a: { status: number }) => `its response with status ${a.status} is not JSON` },
  SECRET_TOO_LARGE: { text: (a: { most: number }) => `its response exceeds ${a.most} bytes` },
  /** The text of the server, as it is. */
  SECRET_REJECTED: { text: (a: { why: string }) => a.why },
  SECRET_MEMBER: { text: (a: { name: string }) => `its response contains no valid ${a.name}` },
  SECRET_CREDENTIALS: {
    text: (_: object) => 'it rejects the temporary credentials of this server, which were issued again unchanged',
  },
  // Module azure_key_vault: azure.rb
  AZURE_NO_CHALLENGE: { text: (_: object) => 'Response header Www-Authenticate is missing' },
  AZURE_CHALLENGE: {
    text: (a: { path: string }) => `${a.path} is not a readable file of the agent of Azure Arc`,
  },
  SECRET_TOO_MANY_PAGES: { text: (a: { most: number }) => `it has more than ${a.most} pages` },
  SECRET_TOO_MANY: { text: (a: { most: number }) => `it has more than ${a.most} values` },
  SECRET_TOO_SLOW: { text: (a: { seconds: number }) => `no response within ${a.seconds} seconds` },
  SECRET_NO_CREDENTIALS: {
    text: (a: { store: string }) => `no credentials for ${a.store}`,
    hint: () =>
      'Give them in the options of the level, in the environment of the server, or as the role of the machine.',
  },
})

/** Failures of a request to Vault. */
export const vaultFailures = defineIssues({
  VAULT_REDIRECT: {
    text: (a: { to: string }) => `it redirects to ${a.to}, which the setting external_vault_addresses does not allow`,
  },
  VAULT_LOGIN: {
    text: (a: { method: string; why: string }) => `login with auth_method '${a.method}' failed: ${a.why}`,
  },
})

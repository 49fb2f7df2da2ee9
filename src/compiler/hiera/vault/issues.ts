import { defineIssues } from '../../../base/issue.ts'

/** Errors of the backend `hiera_vault`, in the words of the module of that name. */
export const hieraVaultIssues = defineIssues({
  VAULT_PATTERN: {
    text: (a: { option: string; why: string }) => `[hiera-vault] creating regexp for ${a.option} failed with: ${a.why}`,
  },
  VAULT_UNREACHABLE: {
    text: (a: { why: string }) => `[hiera-vault] Skipping backend. Configuration error: ${a.why}`,
  },
  VAULT_REJECTED: {
    text: (a: { path: string; errors: string }) =>
      `[hiera-vault] Could not read secret ${a.path}: ${a.errors} - (strict_mode is true so raising as error)`,
  },
  VAULT_TOO_MANY_PATHS: {
    text: (a: { most: number }) => `[hiera-vault] a path has more than ${a.most} alternatives`,
    hint: () => 'Use trusted facts in paths: a node can choose its other facts.',
  },
  VAULT_MISSING: { text: (a: { key: string }) => `[hiera-vault] Could not find secret ${a.key}` },
  VAULT_NO_RESOURCES: {
    text: (a: { key: string }) =>
      `[hiera-vault] Could not find resources for ${a.key} - (strict_mode is true so raising as error)`,
  },
})

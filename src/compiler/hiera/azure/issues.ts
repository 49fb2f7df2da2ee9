import { defineIssues } from '../../../base/issue.ts'

/** Errors of the functions of the module `azure_key_vault`, in its words. */
export const azureIssues = defineIssues({
  AZURE_PATTERN: { text: (a: { option: string; why: string }) => `creating regexp failed with: ${a.why}` },
  /** The text of the server, as it is. */
  AZURE_FAILED: { text: (a: { why: string }) => a.why },
  AZURE_MISSING: {
    text: (a: { name: string; vault: string }) =>
      `The secret named ${a.name} could not be found in a vault named ${a.vault}`,
  },
})

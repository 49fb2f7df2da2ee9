import { defineIssues } from '../../../base/issue.ts'

/** Errors of the backend `hiera_google_sm`. */
export const hieraGoogleIssues = defineIssues({
  GOOGLE_PATTERN: {
    text: (a: { option: string; why: string }) => `[hiera_google_sm] invalid pattern in ${a.option}: ${a.why}`,
  },
  GOOGLE_PROJECT: { text: (_: object) => '[hiera_google_sm] the option project must be a text' },
  GOOGLE_FAILED: {
    text: (a: { name: string; why: string }) => `[hiera_google_sm] cannot read the secret ${a.name}: ${a.why}`,
  },
})

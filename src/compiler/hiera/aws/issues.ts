import { defineIssues } from '../../../base/issue.ts'

/** Errors of the backend `hiera_aws_sm`, in the words of the module of that name. */
export const hieraAwsIssues = defineIssues({
  AWS_PATTERN: {
    text: (a: { option: string; why: string }) => `[hiera-aws-sm] Failed to create regexp with error ${a.why}`,
  },
  AWS_NO_PERMISSION: {
    text: (a: { key: string }) => `[hiera-aws-sm] Skipping backend. No permission to access ${a.key}`,
  },
  AWS_FAILED: {
    text: (a: { key: string; why: string }) =>
      `[hiera-aws-sm] Skipping backend. Failed to lookup ${a.key} due to ${a.why}`,
  },
})

import { defineIssues } from '../../../base/issue.ts'

/** Errors of the backends `hiera_aws_sm` and `hiera_ssm_paramstore`, in the words of the modules of these names. */
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
  SSM_NO_URI: { text: (_: object) => "undefined method `+' for nil:NilClass" },
  SSM_FAILED: { text: (a: { about: string; why: string }) => `AWS SSM Service error ${a.why} with ${a.about}` },
})

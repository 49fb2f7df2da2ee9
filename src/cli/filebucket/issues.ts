import { defineIssues } from '../../base/issue.ts'

// Messages of Puppet: application/filebucket.rb, file_bucket/dipper.rb
/** Errors reported by file buckets. */
export const filebucketIssues = defineIssues({
  BUCKET_NOTHING: { text: () => 'Could not run: File not found' },
  BUCKET_FAILED: { text: (a: { why: string }) => `Could not run: ${a.why}` },
  BUCKET_DIRECTORY: {
    text: (a: { file: string }) => `Could not run: Could not back up ${a.file}: Is a directory @ io_fread - ${a.file}`,
  },
  BUCKET_NO_FILE: { text: () => 'Could not run: You must specify a file to back up' },
  BUCKET_LIST_REMOTE: {
    text: () => 'Could not run: Listing remote file buckets is not allowed',
    hint: () => "Use 'plumb filebucket list --local' for the bucket of this machine.",
  },
  BUCKET_DATE: {
    text: (a: { option: string }) => `Could not run: Error while parsing '${a.option}'`,
    hint: () => "Give a date such as '2026-11-21' or '2026-11-21 10:00'.",
  },
  BUCKET_DIFF_WHAT: { text: (a: { why: string }) => `Could not run: Failed to diff files: ${a.why}` },
})

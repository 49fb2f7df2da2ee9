import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues } from '../../../base/issue.ts'

const { bucketDiffFile } = budgets.request

/** Errors of the file bucket. */
export const bucketIssues = defineIssues({
  BUCKET_CHECKSUM_TYPE: { text: (a: { type: string }) => `Unsupported checksum type ${JSON.stringify(a.type)}` },
  BUCKET_CHECKSUM: { text: (a: { sum: string }) => `Invalid checksum ${JSON.stringify(a.sum)}` },
  BUCKET_FILE_SIZE: {
    text: (a: { most: number }) => `The file exceeds the file bucket's limit of ${a.most} bytes`,
    hint: () => 'Increase bucket_max_file_size on the server.',
  },
  BUCKET_DISK_FULL: {
    text: (_: object) => 'The disk of the file bucket has too little free space',
    hint: () => 'Free disk space, or decrease bucket_min_free_space.',
  },
  // Puppet returns the damaged bytes. Here the status is 404, after which the agent uploads the file again.
  BUCKET_DAMAGED: {
    text: (a: { sum: string }) => `Could not find file_bucket_file ${a.sum}: the stored content has another checksum`,
    hint: () => 'Back up the same file again to repair the entry.',
  },
  BUCKET_BUSY: { text: (_: object) => 'The file bucket is busy' },
  // Message of Puppet: indirector/file_bucket_file/file.rb
  BUCKET_DIFF_MISSING: { text: (a: { sum: string }) => `could not find diff_with ${a.sum}` },
  BUCKET_DIFF_SIZE: {
    text: (_: object) => `The file bucket cannot compare files of more than ${bucketDiffFile.bound} bytes`,
    hint: () => 'Get both files with `puppet filebucket get`, and compare them locally.',
  },
  BUCKET_DIFF_COST: {
    text: (_: object) => 'The files differ too much to be compared in the file bucket',
    hint: () => 'Get both files with `puppet filebucket get`, and compare them locally.',
  },
  BUCKET_DIFF_FAILED: { text: (a: { why: string }) => `Could not compare the files: ${a.why}` },
})

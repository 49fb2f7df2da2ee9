import { defineIssues } from '../../base/issue.ts'

/** Why the bucket does not take or give a file. */
export const bucketIssues = defineIssues({
  BUCKET_CHECKSUM_TYPE: { text: (a: { type: string }) => `Unsupported checksum type ${JSON.stringify(a.type)}` },
  BUCKET_CHECKSUM: { text: (a: { sum: string }) => `Invalid checksum ${JSON.stringify(a.sum)}` },
  BUCKET_FILE_SIZE: {
    text: (a: { most: number }) => `The file is larger than the file bucket takes: ${a.most} bytes`,
    hint: () => 'bucket_max_file_size says how much that is.',
  },
  BUCKET_DISK_FULL: {
    text: (_: object) => 'The disk of the file bucket has too little free space',
    hint: () => 'bucket_min_free_space says how much is left free.',
  },
  BUCKET_BUSY: { text: (_: object) => 'The file bucket takes too many files at once' },
})

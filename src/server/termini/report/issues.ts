import { defineIssues } from '../../../base/issue.ts'

/** Errors of saving a report. */
export const reportIssues = defineIssues({
  REPORT_DISK_FULL: {
    text: (_: object) => 'The disk of the reports has too little free space',
    hint: () => 'Remove old reports, or decrease report_min_free_space.',
  },
})

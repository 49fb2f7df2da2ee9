import { defineIssues } from '../../base/issue.ts'

/** Why a report is not kept. */
export const reportIssues = defineIssues({
  REPORT_DISK_FULL: {
    text: (_: object) => 'The disk of the reports has too little free space',
    hint: () => 'report_min_free_space says how much is left free; old reports may be removed.',
  },
  REPORT_URL: {
    // Without the value, which may have a password.
    text: (_: object) => 'The setting reporturl is no address of HTTP or HTTPS',
    hint: () => 'reporturl = https://reports.example.test/upload',
  },
})

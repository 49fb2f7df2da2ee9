import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { checksumTypes } from '../../../node/resources/types/file.ts'

const issues = defineIssues({
  NO_COMMON_CHECKSUM: {
    text: (a: { agent: string }) =>
      `Unable to find a common checksum type between agent '${a.agent}' and master '[${checksumTypes.map((type) => `:${type}`).join(', ')}]'.`,
  },
})

/** The first of the agent's checksum types that the server supports. Throws NO_COMMON_CHECKSUM. */
export function negotiateChecksum(agent = ''): string {
  return (
    agent.split('.').find((type) => (checksumTypes as readonly string[]).includes(type)) ??
    throwIssue(issues.NO_COMMON_CHECKSUM, { agent })
  )
}

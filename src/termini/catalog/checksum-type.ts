import { defineIssues, fail } from '../../base/issue.ts'

/** In the server's order. protocol.md 3. */
const known = [
  'sha256',
  'sha256lite',
  'md5',
  'md5lite',
  'sha1',
  'sha1lite',
  'sha512',
  'sha384',
  'sha224',
  'mtime',
  'ctime',
  'none',
]

const issues = defineIssues({
  NO_COMMON_CHECKSUM: {
    text: (a: { agent: string }) =>
      `Unable to find a common checksum type between agent '${a.agent}' and master '[${known.map((type) => `:${type}`).join(', ')}]'.`,
  },
})

/** The first of the agent's types that we know. Throws NO_COMMON_CHECKSUM. */
export function negotiateChecksum(agent = ''): string {
  return agent.split('.').find((type) => known.includes(type)) ?? fail(issues.NO_COMMON_CHECKSUM, { agent })
}

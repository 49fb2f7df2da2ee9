import { createPuppetError, defineIssues } from '../../base/issue.ts'
import { isPermissionError } from '../../base/system-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

const issues = defineIssues({
  FILE_DENIED: {
    text: (a: { what: string; user: string }) => a.what,
    hint: (a) =>
      `The user ${a.user} has no access. Run the command as the owner of the file, usually root, or set --confdir, --vardir ` +
      'and --ssldir.',
  },
})

/** Runs `work` on the agent's files. Throws FILE_DENIED if the user lacks permission for a file. */
export async function withFileAccess<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isPermissionError(error)) throw error
    throw createPuppetError(issues.FILE_DENIED, { what: formatError(error), user: String(process.geteuid?.() ?? '') })
  }
}

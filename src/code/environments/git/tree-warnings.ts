import { diagnose } from '../../../base/issue.ts'
import { environmentIssues } from '../issues.ts'

/** Returns warnings about files in a tree that are not served. */
export function warningsAboutTree(
  name: string,
  submodules: readonly string[],
  hasPuppetfile: boolean,
): readonly string[] {
  const { message, hint } = diagnose(environmentIssues.PUPPETFILE_IGNORED, {})
  return [
    ...submodules.map((path) => `The submodule ${path} of environment ${name} is not served`),
    ...(hasPuppetfile ? [`Environment ${name}: ${message}. ${hint}`] : []),
  ]
}

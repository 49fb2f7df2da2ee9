import { createDiagnostic } from '../../../base/issue.ts'
import { environmentIssues } from '../issues.ts'

/** Returns warnings about files in a tree that are not served. */
export function listTreeWarnings(
  name: string,
  submodules: readonly string[],
  hasPuppetfile: boolean,
): readonly string[] {
  const { message, hint } = createDiagnostic(environmentIssues.PUPPETFILE_IGNORED, {})
  return [
    ...submodules.map((path) => `The submodule ${path} of environment ${name} is not served`),
    ...(hasPuppetfile ? [`Environment ${name}: ${message}. ${hint}`] : []),
  ]
}

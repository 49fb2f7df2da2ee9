import { throwIssue } from '../../base/issue.ts'
import { moduleCommandIssues as issues } from './module-issues.ts'

/** Returns `OWNER-NAME`. Throws MODULE_NAME_NEEDED, MODULE_FULL_NAME. */
export function parseModuleSlug(action: string, given: string | undefined): string {
  if (given === undefined) return throwIssue(issues.MODULE_NAME_NEEDED, { action })
  const slug = given.replace('/', '-')
  return /^[a-zA-Z0-9]+-[a-z][a-z0-9_]*$/.test(slug)
    ? slug
    : throwIssue(issues.MODULE_FULL_NAME, { action, name: given })
}

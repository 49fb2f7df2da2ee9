import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable, toPrintableLine } from '../../base/text/printable.ts'
import { isOid } from '../../code/git/ref-names.ts'
import { getControlPath, requestReview } from '../../deploy/control/control-socket.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'

const issues = defineIssues({
  REVIEW_WITHOUT_REQUEST: {
    text: (_: object) => 'plumb code review requires the number of a merge request, or --commit with its newest commit',
  },
  REVIEW_WITHOUT_SOURCE: {
    text: (_: object) => 'plumb code review requires --source',
    hint: () => "'plumb code sources' lists the sources of the running server.",
  },
})

const options = [
  { flags: '--source <name>', doc: 'Code source of the merge request.' },
  { flags: '--commit <id>', doc: 'Newest commit of the merge request, as a full commit ID.' },
  { flags: '--dry-run', doc: 'Print the comment in Markdown, and publish nothing.' },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb code review`. */
export const codeReview = defineCommand({
  name: 'review',
  summary: 'Comment on a merge request with its effect on all nodes.',
  description: `The running server compares the catalogs of its nodes at the newest commit of the merge request with those at the
commit from which it branched, and writes one comment, which later reviews edit. The source needs the key 'review' in the
code_sources file. Webhooks start the same review, except for merge requests from forks: read their changes first.

Exits with 0, or with 1 if a catalog would fail.

  plumb code review 17 --source control
  plumb code review --commit 8d21f0c4c5b1a1e2f3a4b5c6d7e8f90112233445 --source control
  plumb code review 17 --source control --dry-run`,
  usage: '[number]',
  options,
  async run({ args, options: given, settings, io }) {
    const path = getControlPath(loadSettings({ given: settings, runMode: 'server' }))
    const { source, dryRun, renderAs: form } = given
    if (source === undefined) return throwIssue(issues.REVIEW_WITHOUT_SOURCE, {})
    const asked = { source, request: parseRequest(args[0], given), publish: dryRun !== true }
    const review = (await requestReview(path, asked)) ?? throwNoRunningServer(path)
    if (form === 'json') io.out(`${JSON.stringify(review, undefined, 2)}\n`)
    else if (dryRun === true) io.out(review.text.split('\n').map(toPrintableLine).join('\n'))
    else
      io.out(
        `${toPrintable(`Merge request ${review.number} at ${review.head}: comment ${review.comment}; ${review.status.description}`)}\n`,
      )
    return review.status.state === 'success' ? 0 : 1
  },
})

/** Returns the number or the commit of the merge request. Throws REVIEW_WITHOUT_REQUEST. */
function parseRequest(
  number: string | undefined,
  { commit }: CommandInvocation<typeof options>['options'],
): number | string {
  if (number !== undefined && commit === undefined && /^[1-9]\d{0,14}$/.test(number)) return Number(number)
  if (number === undefined && commit !== undefined && isOid(commit)) return commit
  return throwIssue(issues.REVIEW_WITHOUT_REQUEST, {})
}

import { buffer } from 'node:stream/consumers'
import { throwIssue } from '../../base/issue.ts'
import { openGitOutput } from './git-command.ts'
import { serveGit } from './git-service.ts'
import { gitIssues } from './issues.ts'
import { decodePktText, parsePktLines } from './pkt-line.ts'
import { isOid } from './ref-names.ts'

/**
 * Returns those of the given objects that no visible ref reaches: a client may not see them.
 * Protocol version 2 serves every object whose id the client knows, also objects of hidden refs;
 * versions 0 and 1 do not (upload-pack.c, check_non_tip).
 */
export async function findInvisibleObjects(
  gitDir: string,
  oids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const tips = await listVisibleTips(gitDir)
  const left = new Set([...oids].filter((oid) => !tips.has(oid)))
  if (left.size === 0 || tips.size === 0) return left
  const place = { gitDir, quarantine: false }
  // Check commits first: walking all their trees takes ten times as long.
  for (const what of [[], ['--objects']]) {
    const output = await openGitOutput(place, ['rev-list', ...what, '--stdin'], { signal, input: formatOidList(tips) })
    let rest = ''
    for await (const chunk of output) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop()!
      for (const line of lines) left.delete(line.split(' ', 1)[0]!)
      if (left.size === 0) return left
    }
  }
  return left
}

function formatOidList(oids: Iterable<string>): string {
  return `${[...oids].join('\n')}\n`
}

/** Returns the objects to which visible refs point; for tags also the objects to which the tags point. */
async function listVisibleTips(gitDir: string): Promise<ReadonlySet<string>> {
  const listing = serveGit(gitDir, 'upload-pack', { advertise: true })
  listing.stdin.end()
  const bytes = await buffer(listing.stdout)
  const { status, said } = await listing.ended
  if (status !== 0) throwIssue(gitIssues.GIT_FAILED, { command: 'upload-pack', why: said })
  const lines = parsePktLines(bytes).map((line) => (line.kind === 'data' ? decodePktText(line.bytes) : ''))
  // For a repository without refs, git sends one line with zeros and the capabilities.
  const tips = lines.map((text) => text.split(' ', 1)[0]!).filter((oid) => isOid(oid) && !/^0+$/.test(oid))
  return new Set(tips)
}

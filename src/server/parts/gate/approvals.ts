import { join } from 'node:path'
import { Slots } from '../../../base/threads/slots.ts'
import { ApprovalGate } from '../../../deploy/review/approval-gate.ts'
import type { MergeRequest } from '../../../deploy/review/git-host.ts'
import { fetchHead } from '../../../deploy/review/head-fetch.ts'
import { openGitHost } from '../../../deploy/review/open-git-host.ts'
import type { CodeSource } from '../../../deploy/sources/code-source.ts'
import { codePart } from '../code.ts'
import { definePart } from '../part.ts'

/** Approvals of merge requests, and access to their Git hosts; undefined without code sources. */
export const approvalsPart = definePart('approvals', [codePart], ({ settings, code: { source: objects, sources } }) => {
  if (!objects || !sources) return { value: undefined }
  const store = { gitDir: objects.path, quarantine: false } as const
  const incoming = join(settings.vardir, 'sources', 'incoming', 'merge-request.git')
  const fetches = new Slots({ atOnce: 1 })
  const access = {
    openHost: (source: CodeSource) => openGitHost(source, settings),
    fetchHead: (source: CodeSource, request: MergeRequest) =>
      fetches.run(() => fetchHead(source, request, { store, objects, incoming })),
  }
  const gate = new ApprovalGate({ objects, sources, environment: settings.environment, ...access })
  return { value: { gate, ...access } }
})

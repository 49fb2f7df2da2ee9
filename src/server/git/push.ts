import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { PktLineReader, pktLineIssues } from '../../code/git/pkt-line.ts'
import { type PushHead, pushHeadIssues, readPushHead } from '../../code/git/push-commands.ts'
import { buildPushRejection, type PushRefusal } from '../../code/git/push-report.ts'
import { noForceVariable } from '../../deploy/forced-pushes.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { Rule } from '../auth/rule.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { streamPlainBody } from './decompressed-body.ts'
import { getResultType, noCache, runGitService } from './git-service.ts'
import type { HookSettings, PushHooks } from './push-hooks.ts'
import { authorizePush } from './push-rights.ts'
import { formatPusherName } from './pusher-name.ts'

/** Dependencies of a push. */
export interface PushParts {
  /** Maximum size of a push in bytes. */
  readonly maxBytes: number
  readonly hooks: PushHooks
  readonly audit: AuditLog | undefined
  /** Returns the rules of auth.conf. Called for each push, so that a reload takes effect at once. */
  rules(): readonly Rule[]
}

/** Target repository of a push. */
export interface PushTarget {
  readonly name: string
  readonly gitDir: string
}

/**
 * Handles a push. The list of refs is read and authorized first; then git stores the objects in
 * quarantine, and the hooks decide as for any other push.
 */
export async function serveGitPush(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, gitDir }: PushTarget,
  parts: PushParts,
): Promise<FastifyReply> {
  const { client } = request.call
  const { commands } = budgets.git
  // Git enforces the limit on the pack with its own message; this limit catches bodies that are not
  // packs.
  const body = streamPlainBody(request, parts.maxBytes + commands.bound)
  const reader = new PktLineReader(body, commands.bound)
  try {
    const head = await readBoundedHead(reader)
    if (head.commands.length === 0) return await replyWithoutGit(reader, reply, Buffer.alloc(0))
    const rights = authorizePush(head.commands, { repository: name, client, rules: parts.rules() })
    const hooks =
      rights.denied.size > 0
        ? toPushRefusal(rights.denied, formatPusherName(client))
        : await getHookSettings(parts.hooks, gitDir)
    if ('reasons' in hooks) {
      logPushRefusal(request, head, hooks, parts)
      return await replyWithoutGit(reader, reply, buildPushRejection(head, hooks))
    }
    return await runGitService(
      { request, reply, gitDir, service: 'receive-pack', contentType: getResultType('receive-pack') },
      reader.bytes(),
      {
        config: [
          ['receive.maxInputSize', String(parts.maxBytes)],
          // Our hook rejects force-pushes earlier. This setting rejects them in repositories with other hooks.
          ...(rights.mayForce ? [] : [['receive.denyNonFastForwards', 'true'] as const]),
          ...hooks.config,
        ],
        env: {
          ...hooks.env,
          PLUMB_PUSHER: formatPusherName(client),
          ...(rights.mayForce ? {} : { [noForceVariable]: 'true' }),
        },
      },
    )
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function readBoundedHead(reader: PktLineReader): Promise<PushHead> {
  const { refs, pushOptions } = budgets.git
  try {
    return await readPushHead(reader, { refs: refs.bound, optionBytes: pushOptions.bound })
  } catch (error) {
    if (isIssue(error, pktLineIssues.PKT_LINE, pushHeadIssues.PUSH_SIGNED))
      throw createPlainRefusal(400, `${(error as Error).message}\n`)
    if (isIssue(error, pushHeadIssues.PUSH_TOO_MANY_REFS, pushHeadIssues.PUSH_OPTIONS))
      throw createPlainRefusal(413, `${(error as Error).message}\n`)
    throw error
  }
}

function toPushRefusal(denied: ReadonlyMap<string, string>, who: string): PushRefusal {
  const [[ref, reason] = ['', '']] = denied
  return {
    reasons: denied,
    otherwise: 'another ref is rejected',
    lines: [`Error: ${who} may not push to ${ref}: ${reason}`],
  }
}

/** Returns the settings of the hooks. Refuses the whole push if no hook would check it. */
async function getHookSettings(hooks: PushHooks, gitDir: string): Promise<HookSettings | PushRefusal> {
  try {
    return await hooks.of(gitDir)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, hint } = error.diagnostic
    const lines = [`Error: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])]
    return { reasons: new Map(), otherwise: 'no hook would check it', lines }
  }
}

/** Logs a push that is refused before git starts, also in the audit log. */
function logPushRefusal(request: FastifyRequest, head: PushHead, refusal: PushRefusal, { audit }: PushParts): void {
  const pusher = formatPusherName(request.call.client)
  request.log.warn(toPrintable(`Rejected a push of ${pusher}: ${refusal.lines.join(' ')}`))
  for (const { ref, before, after } of head.commands.slice(0, budgets.audit.pushedRefs.bound)) {
    const reason = (refusal.reasons.get(ref) ?? refusal.otherwise).slice(0, budgets.audit.text.bound)
    const short = ref.slice(0, budgets.audit.text.bound)
    audit?.add({ kind: 'push', ref: short, old: before, new: after, pusher, result: 'refused', reason })
  }
}

/** Sends a response without running git, and discards the rest of the request body. */
async function replyWithoutGit(reader: PktLineReader, reply: FastifyReply, answer: Buffer): Promise<FastifyReply> {
  await reader.close()
  return reply.headers(noCache).type(getResultType('receive-pack')).send(answer)
}

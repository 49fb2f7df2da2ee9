import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { PktLineReader, pktLineIssues } from '../../code/git/pkt-line.ts'
import { type PushHead, pushHeadIssues, readPushHead } from '../../code/git/push-commands.ts'
import { type PushRefusal, refusedPush } from '../../code/git/push-report.ts'
import { noForceVariable } from '../../deploy/force.ts'
import type { AuditLog } from '../../store/audit/audit-log.ts'
import type { Rule } from '../auth/rule.ts'
import { plainRefusal } from '../http/refusal.ts'
import { converse, noCache, resultType } from './conversation.ts'
import { plainBody } from './plain-body.ts'
import type { HookSurroundings, PushHooks } from './push-hooks.ts'
import { pushRights } from './push-rights.ts'
import { pusherName } from './pusher-name.ts'

/** Parts that a push needs. */
export interface PushParts {
  /** The most bytes of a push. */
  readonly maxBytes: number
  readonly hooks: PushHooks
  readonly audit: AuditLog | undefined
  /** Asked for each push, so that a reload takes hold at once. */
  rules(): readonly Rule[]
}

/** A repository that is pushed to. */
export interface PushedTo {
  readonly name: string
  readonly gitDir: string
}

/**
 * A push. Its list of refs is read and judged before git gets anything; then git takes all of it into quarantine, and its
 * hooks decide as for any other way of pushing.
 */
export async function push(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, gitDir }: PushedTo,
  parts: PushParts,
): Promise<FastifyReply> {
  const { client } = request.call
  const { commands } = budgets.git
  // Git counts the pack, and words the refusal; this is for what is no pack at all.
  const body = plainBody(request, parts.maxBytes + commands.bound)
  const reader = new PktLineReader(body, commands.bound)
  try {
    const head = await headOf(reader)
    if (head.commands.length === 0) return await answerAtOnce(reader, reply, Buffer.alloc(0))
    const rights = pushRights(head.commands, { repository: name, client, rules: parts.rules() })
    const hooks =
      rights.denied.size > 0 ? denialOf(rights.denied, pusherName(client)) : await surroundings(parts.hooks, gitDir)
    if ('reasons' in hooks) {
      tellOfRefusal(request, head, hooks, parts)
      return await answerAtOnce(reader, reply, refusedPush(head, hooks))
    }
    return await converse(
      { request, reply, gitDir, service: 'receive-pack', contentType: resultType('receive-pack') },
      reader.bytes(),
      {
        config: [
          ['receive.maxInputSize', String(parts.maxBytes)],
          // Our hook has refused it by then; this is for repositories with hooks of their own.
          ...(rights.mayForce ? [] : [['receive.denyNonFastForwards', 'true'] as const]),
          ...hooks.config,
        ],
        env: {
          ...hooks.env,
          PLUMB_PUSHER: pusherName(client),
          ...(rights.mayForce ? {} : { [noForceVariable]: 'true' }),
        },
      },
    )
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function headOf(reader: PktLineReader): Promise<PushHead> {
  const { refs, pushOptions } = budgets.git
  try {
    return await readPushHead(reader, { refs: refs.bound, optionBytes: pushOptions.bound })
  } catch (error) {
    if (isIssue(error, pktLineIssues.PKT_LINE, pushHeadIssues.PUSH_SIGNED))
      throw plainRefusal(400, `${(error as Error).message}\n`)
    if (isIssue(error, pushHeadIssues.PUSH_TOO_MANY_REFS, pushHeadIssues.PUSH_OPTIONS))
      throw plainRefusal(413, `${(error as Error).message}\n`)
    throw error
  }
}

function denialOf(denied: ReadonlyMap<string, string>, who: string): PushRefusal {
  const [[ref, reason] = ['', '']] = denied
  return {
    reasons: denied,
    otherwise: 'another ref is refused',
    lines: [`Error: ${who} may not push to ${ref}: ${reason}`],
  }
}

/** The hooks' surroundings; a refusal of the whole push where nothing would check it. */
async function surroundings(hooks: PushHooks, gitDir: string): Promise<HookSurroundings | PushRefusal> {
  try {
    return await hooks.of(gitDir)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message, hint } = error.diagnostic
    const lines = [`Error: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])]
    return { reasons: new Map(), otherwise: 'nothing would check it', lines }
  }
}

/** Tells the log and the audit log of a push of which git gets nothing. */
function tellOfRefusal(request: FastifyRequest, head: PushHead, refusal: PushRefusal, { audit }: PushParts): void {
  const pusher = pusherName(request.call.client)
  request.log.warn(printable(`Refused a push of ${pusher}: ${refusal.lines.join(' ')}`))
  for (const { ref, before, after } of head.commands.slice(0, budgets.audit.pushedRefs.bound)) {
    const reason = (refusal.reasons.get(ref) ?? refusal.otherwise).slice(0, budgets.audit.text.bound)
    const short = ref.slice(0, budgets.audit.text.bound)
    audit?.add({ kind: 'push', ref: short, old: before, new: after, pusher, result: 'refused', reason })
  }
}

/** Answers without git. The rest of the body is nobody's. */
async function answerAtOnce(reader: PktLineReader, reply: FastifyReply, answer: Buffer): Promise<FastifyReply> {
  await reader.close()
  return reply.headers(noCache).type(resultType('receive-pack')).send(answer)
}

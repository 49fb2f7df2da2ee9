import { toPrintable } from '../../base/text/printable.ts'
import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { getControlPath, requestGate } from '../../deploy/control/control-socket.ts'
import { type GateReply, parseGateReply, toGateReply } from '../../deploy/gate/gate-reply.ts'
import { getPassedFolder, PassedCommits } from '../../deploy/gate/passed-commits.ts'
import { isNullOid, type PushedRef } from '../../deploy/push-check.ts'
import { isGateSkipped, skipGate } from '../../deploy/push-options.ts'
import type { Deployments } from '../../deploy/synthesis/deployments.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GateDecision } from '../../store/audit/record.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { testPushInProcess } from './push-gate.ts'

/** The decision of the gate about a push. */
export interface PushGateResult {
  /** Reason of a rejection; `undefined` for an accepted push. */
  readonly refusal: string | undefined
  /** Result for the audit log; `undefined` if no node was tested. */
  readonly gate: GateDecision | undefined
  /** The impact of each branch on nodes, as JSON text. */
  readonly impacts: readonly string[]
}

/** A push received by a hook, or a range of commits given on the command line. */
export interface GatedPush {
  readonly source: GitObjectSource
  readonly deployments: Deployments
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  readonly isHook: boolean
}

const nothing: PushGateResult = { refusal: undefined, gate: undefined, impacts: [] }

interface Voice {
  readonly io: Io
  readonly isQuiet: boolean
}

/**
 * Tests a push on nodes, either on the running server or in this process, and prints the result. Records accepted
 * commits in the repository, so that the server does not test them again.
 */
export async function testPushAtGate(push: GatedPush, settings: Settings, voice: Voice): Promise<PushGateResult> {
  const passage = await runGate(push, settings, voice)
  if (push.isHook && passage.refusal === undefined) await recordPassedCommits(push, passage.gate ?? 'untried', voice.io)
  return passage
}

async function recordPassedCommits(
  { source, deployments, pushed, naming }: GatedPush,
  word: Parameters<PassedCommits['note']>[1],
  io: Io,
): Promise<void> {
  const kept = new PassedCommits(getPassedFolder(source.path))
  try {
    for (const { ref, before, after } of pushed) {
      if (!ref.startsWith(branches) || isNullOid(after)) continue
      for (const environment of naming(ref.slice(branches.length))) {
        const deployedBefore = isNullOid(before)
          ? before
          : await deployments.known({ environment, ref, commit: before })
        const deployed = await deployments.deployed({ environment, ref, commit: after })
        await kept.note({ environment, before: deployedBefore ?? before, after: deployed }, word)
      }
    }
  } catch (error) {
    printMessage('Warning', `The server will test this push again: ${formatError(error)}`, io)
  }
}

async function runGate(push: GatedPush, settings: Settings, { io, isQuiet }: Voice): Promise<PushGateResult> {
  if (push.isHook && isGateSkipped(process.env)) {
    if (!settings.gate_skip) return rejectPush(`The push option ${skipGate} is not allowed (gate_skip = false)`, io)
    printMessage('Warning', `The gate was skipped (push option ${skipGate}); no node was tested`, io)
    return { ...nothing, gate: 'skipped' }
  }
  const printLine = (line: string) => io.err(`${toPrintable(line)}\n`)
  try {
    const answer = await requestGateAnswer(push, settings, { io, tell: isQuiet ? () => {} : printLine })
    if (!answer) return rejectPush('No server is running, and gate_without_server = refuse', io)
    if (!isQuiet) for (const line of answer.lines) printLine(line)
    return { refusal: answer.refusal, gate: answer.gate, impacts: answer.impacts }
  } catch (error) {
    // If a push cannot be tested, it is rejected.
    return rejectPush(`Could not test the push on nodes: ${formatError(error)}`, io)
  }
}

async function requestGateAnswer(
  { source, deployments, pushed, naming, isHook }: GatedPush,
  settings: Settings,
  { io, tell }: { readonly io: Io; tell(line: string): void },
): Promise<GateReply | undefined> {
  const quarantine = isHook ? (process.env['GIT_QUARANTINE_PATH'] ?? null) : null
  // The gate ignores tags and deleted refs. A push may have thousands of them, more than the server reads.
  const tested = pushed.filter(({ ref, after }) => ref.startsWith(branches) && !isNullOid(after))
  const request = { repository: source.path, pushed: tested, quarantine }
  const asked = await requestGate(getControlPath(settings), request, tell)
  if (asked !== undefined && asked !== null) return parseGateReply(asked)
  // The server is running but has no nodes yet: test here, because otherwise the first push would always be rejected.
  if (asked === undefined && settings.gate_without_server === 'refuse') return undefined
  return toGateReply(await testPushInProcess(source, pushed, settings, { io, naming, deployed: deployments.deployed }))
}

function rejectPush(why: string, io: Io): PushGateResult {
  printMessage('Error', why, io)
  return { refusal: why, gate: 'refused', impacts: [] }
}

import { printable } from '../../base/text/printable.ts'
import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/choose-branches.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { isNone, type PushedRef } from '../../deploy/check.ts'
import { askGate, controlPath } from '../../deploy/control/control.ts'
import { answerOf, type GateAnswer, readAnswer } from '../../deploy/gate/answer.ts'
import { PassedCommits, passedInRepository } from '../../deploy/gate/passed-commits.ts'
import { skipGate, wantsToSkip } from '../../deploy/push-options.ts'
import type { Deployments } from '../../deploy/synthesis/deployments.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GateWord } from '../../store/audit/record.ts'
import type { Io } from '../command/command.ts'
import { say } from '../command/say.ts'
import { tryPushHere } from './push-gate.ts'

/** The decision of the gate about a push. */
export interface GatePassage {
  /** Reason of a rejection; `undefined` for an accepted push. */
  readonly refusal: string | undefined
  /** Result for the audit log; `undefined` if no node was tested. */
  readonly gate: GateWord | undefined
  /** Impacts as JSON texts. */
  readonly impacts: readonly string[]
}

/** A push at the gate. */
interface GatedPush {
  readonly source: GitObjectSource
  readonly deployments: Deployments
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  readonly isHook: boolean
}

const nothing: GatePassage = { refusal: undefined, gate: undefined, impacts: [] }

interface Voice {
  readonly io: Io
  readonly isQuiet: boolean
}

/**
 * Tests a push on nodes, either on the running server or in this process, and prints the result. Records accepted
 * commits in the repository, so that the server does not test them again.
 */
export async function passGate(push: GatedPush, settings: Settings, voice: Voice): Promise<GatePassage> {
  const passage = await passageOf(push, settings, voice)
  if (push.isHook && passage.refusal === undefined) await keepPassed(push, passage.gate ?? 'untried', voice.io)
  return passage
}

async function keepPassed(
  { source, deployments, pushed, naming }: GatedPush,
  word: Parameters<PassedCommits['note']>[1],
  io: Io,
): Promise<void> {
  const kept = new PassedCommits(passedInRepository(source.path))
  try {
    for (const { ref, before, after } of pushed) {
      if (!ref.startsWith(branches) || isNone(after)) continue
      for (const environment of naming(ref.slice(branches.length))) {
        const deployedBefore = isNone(before) ? before : await deployments.known({ environment, ref, commit: before })
        const deployed = await deployments.deployed({ environment, ref, commit: after })
        await kept.note({ environment, before: deployedBefore ?? before, after: deployed }, word)
      }
    }
  } catch (error) {
    say('Warning', `The server will test this push again: ${errorText(error)}`, io)
  }
}

async function passageOf(push: GatedPush, settings: Settings, { io, isQuiet }: Voice): Promise<GatePassage> {
  if (push.isHook && wantsToSkip(process.env)) {
    if (!settings.gate_skip) return refused(`The push option ${skipGate} is not allowed (gate_skip = false)`, io)
    say('Warning', `The gate was skipped (push option ${skipGate}); no node was tested`, io)
    return { ...nothing, gate: 'skipped' }
  }
  const tell = (line: string) => io.err(`${printable(line)}\n`)
  try {
    const answer = await answerBy(push, settings, { io, tell: isQuiet ? () => {} : tell })
    if (!answer) return refused('No server is running, and gate_without_server = refuse', io)
    if (!isQuiet) for (const line of answer.lines) tell(line)
    return { refusal: answer.refusal, gate: answer.gate, impacts: answer.impacts }
  } catch (error) {
    // A push that cannot be tested is rejected.
    return refused(`Could not test the push on nodes: ${errorText(error)}`, io)
  }
}

async function answerBy(
  { source, deployments, pushed, naming, isHook }: GatedPush,
  settings: Settings,
  { io, tell }: { readonly io: Io; tell(line: string): void },
): Promise<GateAnswer | undefined> {
  const quarantine = isHook ? (process.env['GIT_QUARANTINE_PATH'] ?? null) : null
  const asked = await askGate(controlPath(settings), { repository: source.path, pushed, quarantine }, tell)
  if (asked !== undefined && asked !== null) return readAnswer(asked)
  // The server is running but has no nodes yet: test here, because otherwise the first push would always be rejected.
  if (asked === undefined && settings.gate_without_server === 'refuse') return undefined
  return answerOf(await tryPushHere(source, pushed, settings, { io, naming, deployed: deployments.deployed }))
}

function refused(why: string, io: Io): GatePassage {
  say('Error', why, io)
  return { refusal: why, gate: 'refused', impacts: [] }
}

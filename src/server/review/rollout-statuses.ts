import { Slots } from '../../base/threads/slots.ts'
import { type CommitStatus, type GitHost, rolloutStatus } from '../../deploy/review/git-host.ts'
import type { RolloutAction } from '../../deploy/rollout/rollout-state.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { TakenStep } from '../rollouts/rollouts.ts'

/** Dependencies of the statuses. */
export interface RolloutStatusParts {
  /** The source of an environment; undefined if it has none, or no access to merge requests. */
  findSource(environment: string): CodeSource | undefined
  openHost(source: CodeSource): Pick<GitHost, 'setStatus' | 'maxDescription'>
  /** The pushed commit from which a served commit was created. */
  toSourceCommit(commit: string): Promise<string | undefined>
  warn(message: string): void
}

/** Largest number of statuses that wait for the Git hosts. */
const mostWaiting = 100

/** States of the status by the steps that change it. */
const states: Readonly<Partial<Record<RolloutAction, CommitStatus['state']>>> = {
  ...{ begin: 'pending', start: 'pending', resume: 'pending', pause: 'pending' },
  ...{ complete: 'success', promote: 'success', halt: 'failure', abort: 'failure' },
}

/** Shows the state of a rollout at its commit on the Git host, so that the pusher sees a halt. */
export class RolloutStatuses {
  readonly #parts: RolloutStatusParts
  /** One after the other, so that the last step wins. */
  readonly #turn = new Slots({ atOnce: 1 })

  constructor(parts: RolloutStatusParts) {
    this.#parts = parts
  }

  /** Publishes the status of a step in the background; a failure is logged. */
  publish(taken: TakenStep): void {
    const state = states[taken.step.action]
    const source = state && this.#parts.findSource(taken.environment)
    if (!source || this.#turn.size >= mostWaiting) return
    const { warn } = this.#parts
    void this.#turn
      .run(() => this.#send(taken, state, source))
      .catch((error) => warn(`The status of a rollout was not published: ${formatErrorReason(error)}`))
  }

  async #send({ environment, step, state: { rollout } }: TakenStep, state: CommitStatus['state'], source: CodeSource) {
    const commit = rollout && (await this.#parts.toSourceCommit(rollout.to))
    if (commit === undefined) return
    const host = this.#parts.openHost(source)
    const wave = step.wave === undefined ? '' : ` wave ${step.wave}`
    const reason = step.reason === undefined ? '' : `: ${step.reason}`
    const description = `${environment}: ${step.action}${wave}${reason}`.slice(0, host.maxDescription)
    const url = source.review?.consoleUrl
    await host.setStatus(commit, { state, description, url }, rolloutStatus)
  }
}

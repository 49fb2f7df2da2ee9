import { setTimeout as sleep } from 'node:timers/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import type { CurrentRollout, RolloutStatus } from '../../server/rollouts/rollout-status.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { formatHeadline, formatStep, formatWaiting, getPhaseStatus } from './rollout-text.ts'
import { connectToRollouts } from './server-rollouts.ts'

const issues = defineIssues({
  WATCH_INTERVAL: {
    text: (a: { text: string }) => `Invalid number of seconds '${a.text}' for --interval`,
    hint: () => 'Give a number from 0.1 to 3600.',
  },
})

const options = [
  { flags: '--interval <seconds>', doc: 'Time between two checks.', default: '2' },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb rollout watch`. */
export const rolloutWatch = defineCommand({
  name: 'watch',
  summary: 'Print the progress of a rollout until it ends.',
  description: `Prints a line for each step, and when the number of reported or failed nodes changes. With --render-as json, prints the
state of the rollout as one line after each change. A paused rollout is watched until it continues or ends.

Exits with 0 if the rollout is complete, with 1 if it was halted or aborted, and with 2 if a later push replaced it.

  git push origin production && plumb rollout watch production`,
  usage: '[environment]',
  options,
  async run({ args, options: { interval, renderAs: format }, settings, io }) {
    const pauseMs = parseInterval(interval)
    const rollouts = connectToRollouts(settings)
    let status = await rollouts.find(args[0])
    const { environment } = status
    const watcher = new RolloutWatcher(status, format === 'json', io)
    for (;;) {
      const exit = watcher.take(status)
      if (exit !== undefined) return exit
      await sleep(pauseMs)
      status = await rollouts.send({ show: environment })
    }
  },
})

function parseInterval(text: string): number {
  const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  return seconds >= 0.1 && seconds <= 3600 ? seconds * 1000 : throwIssue(issues.WATCH_INTERVAL, { text })
}

/** Prints the changes of a rollout. */
export class RolloutWatcher {
  readonly #number: number | undefined
  readonly #isJson: boolean
  readonly #io: Pick<Io, 'out'>
  readonly #printed = new Set<string>()
  #last = ''

  constructor({ rollout }: RolloutStatus, isJson: boolean, io: Pick<Io, 'out'>) {
    this.#number = rollout?.number
    this.#isJson = isJson
    this.#io = io
  }

  /** Prints the changes since the last state. Returns the exit status if the rollout has ended. */
  take(status: RolloutStatus): number | undefined {
    const { environment, rollout, history } = status
    if (this.#isJson) this.#printOnce(JSON.stringify(status))
    if (!rollout || rollout.number !== this.#number) {
      const ended = history.find(({ number }) => number === this.#number)
      if (!this.#isJson && ended)
        this.#io.out(`${toPrintable(`${environment}: rollout ${ended.number} was ${ended.phase}`)}\n`)
      return ended ? getPhaseStatus(ended.phase) : 0
    }
    if (!this.#isJson) this.#printProgress(environment, rollout)
    return rollout.ended === undefined ? undefined : getPhaseStatus(rollout.phase)
  }

  #printProgress(environment: string, rollout: CurrentRollout): void {
    for (const step of rollout.steps) {
      const line = formatStep(step)
      if (this.#printed.has(line)) continue
      this.#printed.add(line)
      this.#io.out(`${toPrintable(line)}\n`)
    }
    const wave = rollout.waves.findLast(({ state }) => state === 'started')
    const counts = wave && [
      `${wave.reported} of ${formatQuantity(wave.nodes, 'node')} reported`,
      `${wave.failed.length} failed`,
    ]
    const waiting = formatWaiting(environment, rollout)
    if (rollout.ended !== undefined) this.#printOnce(formatHeadline(environment, rollout))
    else if (counts) this.#printOnce([`  Wave '${wave.name}': ${counts.join(', ')}`, waiting ?? []].flat().join('. '))
    else if (waiting !== undefined) this.#printOnce(`  ${waiting}`)
  }

  /** Prints a line unless it is the last one. */
  #printOnce(line: string): void {
    if (line === this.#last) return
    this.#last = line
    this.#io.out(`${this.#isJson ? line : toPrintable(line)}\n`)
  }
}

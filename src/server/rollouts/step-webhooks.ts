import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { Slots } from '../../base/threads/slots.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { readSystemAuthorities } from '../../network/client/system-authorities.ts'
import { askPage } from '../../network/outside/http.ts'
import type { TakenStep } from './rollouts.ts'

/** Settings of the webhooks. */
export type StepWebhookSettings = Pick<Settings, 'rollout_webhooks' | 'rollout_webhook_secret' | 'localcacert'>

/** Milliseconds before each further attempt of a delivery. */
const pauses = [1000, 10_000, 60_000]
const { webhooksWaiting, webhookTime, webhookBody } = budgets.rollout

/**
 * Posts each step of a rollout as JSON to the URLs in `rollout_webhooks`, in the order of the steps. A failed delivery
 * is repeated a few times, then logged. With a secret, the header `X-Plumb-Signature-256` contains the HMAC-SHA-256 of
 * the body, as `sha256=HEX`.
 */
export class StepWebhooks {
  readonly #settings: StepWebhookSettings
  readonly #server: string
  readonly #warn: (message: string) => void
  readonly #closing = new AbortController()
  /** One delivery at a time to each URL, so that a dead server delays no other one. */
  readonly #turns = new Map<string, Slots>()

  constructor(settings: StepWebhookSettings, server: string, warn: (message: string) => void) {
    this.#settings = settings
    this.#server = server
    this.#warn = warn
  }

  /** Queues the deliveries of a step. If too many wait, the step is omitted and logged. */
  send(taken: TakenStep): void {
    const body = formatStep(taken, this.#server)
    for (const url of this.#settings.rollout_webhooks) {
      const turn = this.#turns.get(url) ?? new Slots({ atOnce: 1 })
      this.#turns.set(url, turn)
      if (turn.size >= webhooksWaiting.bound)
        this.#warn(`A step of a rollout was not sent to ${getOrigin(url)}: ${webhooksWaiting.bound} others wait`)
      else void turn.run(() => this.#deliver(url, body)).catch(() => {})
    }
  }

  close(): void {
    this.#closing.abort()
  }

  async #deliver(url: string, body: string): Promise<void> {
    for (const pause of [...pauses, undefined]) {
      if (this.#closing.signal.aborted) return
      try {
        return await this.#post(url, body)
      } catch (error) {
        if (pause !== undefined) await sleep(pause, undefined, { signal: this.#closing.signal, ref: false })
        // The path of a webhook may be a secret.
        else this.#warn(`Could not send a step of a rollout to ${getOrigin(url)}: ${formatError(error)}`)
      }
    }
  }

  async #post(url: string, body: string): Promise<void> {
    const { rollout_webhook_secret: secretFile, localcacert } = this.#settings
    const secret = secretFile === '' ? undefined : await readSecretFile(secretFile)
    const signature = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const headers = {
      ...{ 'content-type': 'application/json', 'accept-encoding': 'identity' },
      ...(signature && { 'x-plumb-signature-256': signature }),
    }
    const tls = () => ({ minVersion: 'TLSv1.2' as const, ca: readSystemAuthorities(localcacert) })
    const signal = AbortSignal.any([AbortSignal.timeout(webhookTime.bound), this.#closing.signal])
    const { statusCode } = await askPage(
      new URL(url),
      { method: 'POST', headers, body, signal },
      { tls },
      webhookBody.bound,
    )
    if (statusCode < 200 || statusCode > 299) throw new Error(`the response has status ${statusCode}`)
  }
}

/** The step as JSON. It names nodes only in the reason of a halt. */
function formatStep({ environment, step, state: { stable, rollout } }: TakenStep, server: string): string {
  const { action, wave = null, by = null, reason = null, at } = step
  return JSON.stringify({
    ...{ event: 'rollout', environment, action, wave, by, reason, time: new Date(at).toISOString(), server, stable },
    rollout: rollout
      ? {
          number: rollout.number,
          from: rollout.from,
          to: rollout.to,
          phase: rollout.phase,
          started: rollout.started.length,
        }
      : null,
  })
}

function getOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'a webhook'
}

import type { ExactObject } from '../../../base/json/exact-json.ts'
import { outsideKinds, parseQuestion } from '../../../network/outside/question.ts'

/** The payload of `deactivate node` 3. */
export function deactivationPayload(certname: string, producerTimestamp: string): ExactObject {
  return { certname, producer_timestamp: producerTimestamp }
}

/** The payload of `configure expiration` 1: facts of the node expire, or they do not. */
export function expirationPayload(certname: string, producerTimestamp: string, facts: boolean): ExactObject {
  return { certname, producer_timestamp: producerTimestamp, expire: { facts } }
}

/** A catalog, the keys that were looked up in Hiera to make it, and what was asked outside. */
export interface LookedUp {
  readonly certname: string
  readonly catalogUuid: string
  readonly producerTimestamp: string
  readonly keys: readonly string[]
  /** Questions of `network/outside/question.ts`, each with the SHA-256 of its answer. */
  readonly asked?: readonly { readonly question: string; readonly digest: string }[]
}

/** The payload of `replace catalog inputs` 1; nothing where nothing was looked up or asked. */
export function inputsPayload(lookedUp: LookedUp): ExactObject | undefined {
  const { certname, catalogUuid, producerTimestamp, keys, asked = [] } = lookedUp
  const answers = asked.map(({ question, digest }) => [
    outsideKinds[parseQuestion(question)!.kind],
    `sha256:${digest} ${question}`,
  ])
  const inputs = [...keys.map((key) => ['hiera', key]), ...answers]
  if (inputs.length === 0) return undefined
  return { certname, catalog_uuid: catalogUuid, producer_timestamp: producerTimestamp, inputs }
}

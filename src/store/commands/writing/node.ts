import type { ExactObject } from '../../../base/json/exact-json.ts'
import { outsideKinds, parseQuestion } from '../../../network/outside/question.ts'

/** The payload of `deactivate node` 3. */
export function buildDeactivationPayload(certname: string, producerTimestamp: string): ExactObject {
  return { certname, producer_timestamp: producerTimestamp }
}

/** The inputs of a catalog's compilation: Hiera keys, and requests to external services. */
export interface CatalogLookups {
  readonly certname: string
  readonly catalogUuid: string
  readonly producerTimestamp: string
  readonly keys: readonly string[]
  /**
   * Requests in the format of `network/outside/question.ts`, each with the SHA-256 of its response.
   */
  readonly asked?: readonly { readonly question: string; readonly digest: string }[]
}

/** The payload of `replace catalog inputs` 1; `undefined` if there are no inputs. */
export function buildInputsPayload(lookedUp: CatalogLookups): ExactObject | undefined {
  const { certname, catalogUuid, producerTimestamp, keys, asked = [] } = lookedUp
  const answers = asked.map(({ question, digest }) => [
    outsideKinds[parseQuestion(question)!.kind],
    `sha256:${digest} ${question}`,
  ])
  const inputs = [...keys.map((key) => ['hiera', key]), ...answers]
  if (inputs.length === 0) return undefined
  return { certname, catalog_uuid: catalogUuid, producer_timestamp: producerTimestamp, inputs }
}

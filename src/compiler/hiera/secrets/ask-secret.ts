import { type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import type { EvaluationHost } from '../../../language/host.ts'
import type { Hash } from '../../../language/values/hash.ts'

/** Asks the server for a secret. A rejected or failed request has an answer, too. */
export function askSecret({ askOutside }: Pick<EvaluationHost, 'askOutside'>, question: ExactJson): ExactJson {
  return askOutside?.('secret', question) ?? { refused: 'Network access is disabled here' }
}

/** Returns the reason why an answer contains no secret; `undefined` if the secret was read or is missing. */
export function findAskingFailure(answer: ExactJson): string | undefined {
  const found = ['refused', 'failure', 'errors'].map((name) => getMember(answer, name))
  const why = found.find((each) => each !== undefined)
  return why === undefined ? undefined : String(why)
}

/** Returns the bytes in the answer of a store of bytes. */
export function findSecretBytes(answer: ExactJson): Buffer | undefined {
  const base64 = getMember(getMember(answer, 'data'), 'base64')
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
}

/** Returns the options with these names that are texts, as JSON. */
export function pickTexts(options: Hash, names: readonly string[]): Readonly<Record<string, string>> {
  const texts = names.flatMap((name) => {
    const value = options.get(name)
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(texts)
}

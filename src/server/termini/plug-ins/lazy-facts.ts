import { type FactsDocument, parseFactValues } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'

/** Returns functions with which a plug-in reads the facts of a node: their values, or their JSON in UTF-8. */
export function createFactsReaders(
  { facts, key, environment }: Request & { readonly facts?: FactsDocument | undefined },
  known: Pick<Indirection<FactsDocument>, 'find'>,
): object {
  const findFacts = async () => facts ?? (await known.find({ key, environment }))
  return {
    facts: async () => (await findFacts().then((found) => found && parseFactValues(found.values))) ?? {},
    factsJson: async () => (await findFacts().then((found) => found?.values)) ?? undefined,
  }
}

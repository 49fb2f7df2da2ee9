import { type FactsDocument, valuesOf } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'

/** Returns functions with which a plug-in reads the facts of a node: their values, or their JSON in UTF-8. */
export function factsOnDemand(
  { facts, key, environment }: Request & { readonly facts?: FactsDocument | undefined },
  known: Pick<Indirection<FactsDocument>, 'find'>,
): object {
  const find = async () => facts ?? (await known.find({ key, environment }))
  return {
    facts: async () => (await find().then((found) => found && valuesOf(found.values))) ?? {},
    factsJson: async () => (await find().then((found) => found?.values)) ?? undefined,
  }
}

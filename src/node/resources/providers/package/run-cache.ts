import type { CatalogView, ProviderServices } from '../../provider.ts'

const answers = new WeakMap<CatalogView, Map<string, Promise<unknown>>>()

/** Runs a query once per run and shares its result between all packages. */
export function cacheForRun<Answer>(
  { catalog }: Pick<ProviderServices, 'catalog'>,
  question: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const known = answers.get(catalog) ?? new Map<string, Promise<unknown>>()
  answers.set(catalog, known)
  const answer = known.get(question) ?? ask()
  known.set(question, answer)
  return answer as Promise<Answer>
}

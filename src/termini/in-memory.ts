import { LRUCache } from 'lru-cache'
import type { Request } from '../indirector/request.ts'
import type { Terminus } from '../indirector/terminus.ts'

/** A terminus that keeps the models that were last used, and forgets them all when the process ends. */
export function inMemory<Model extends object>(most = 1000): Required<Terminus<Model>> {
  const models = new LRUCache<string, Model>({ max: most })
  return {
    find: async ({ key }: Request) => models.get(key),
    search: async () => [...models.values()],
    save: async (model, { key }) => void models.set(key, model),
    destroy: async ({ key }) => void models.delete(key),
  }
}
